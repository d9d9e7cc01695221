import type { IncidentKind } from './incident-kind.ts';

/** Trouble with services that an agent calls, and with the way to them. */
export const SERVICE_INCIDENTS: readonly IncidentKind[] = [
  {
    name: 'rate_limit',
    title: 'rate limiting',
    words:
      /rate.?limit|too many requests|\bthrottl(?:ed|ing)|retry storm|quota (?:is |was |has been )?exceeded|exceeded (?:my|our|the|your) (?:current )?quota|zu viele anfragen|demasiadas (?:solicitudes|peticiones)|trop de requêtes|muitas (?:solicitações|requisições)|リクエストが多すぎ|请求过多/i,
    except: /rate.?limiters?\b/i,
    statuses: [429],
    steps: [
      {
        id: 'stop_retries',
        text: 'Stop all automatic retries of the rejected request for as long as Retry-After says, or for 60 seconds without one.',
        reason: 'Every retry counts against the same limit.',
      },
      {
        id: 'probe_once',
        text: 'Send one single request. If it is rejected, wait twice as long as before and send one again.',
        reason: 'One request shows whether the limit has reset without using it up.',
      },
      {
        id: 'halve_the_rate',
        text: 'Continue at half the rate that was rejected, with random jitter before each retry.',
        reason: 'Clients that retry at the same moment hit the limit together.',
      },
      {
        id: 'queue_the_work',
        text: 'Put the waiting requests into one queue with a fixed rate, and drop those that are no longer needed.',
        reason: 'A limit is easier to respect in one place than in many.',
      },
    ],
  },
  {
    name: 'certificate',
    title: 'a TLS certificate that is not accepted',
    words:
      /\bcert(?:ificate)?s?\b[^!?\n]{0,40}\b(?:expired?|invalid|revoked|untrusted|not (?:yet )?valid|verif\w+ failed)|(?:expired|invalid|self.signed|untrusted) (?:tls |ssl )?cert|\b(?:tls|ssl)\b[^!?\n]{0,20}\b(?:handshake|error|alert|failure)|\bx509\b|\b(?:certifica[dt]o|certificat|zertifikat)s?\b[^!?\n]{0,40}(?<!\p{L})(?:caducad[oa]|caducó|vencid[oa]|venció|expirée?|périmée?|abgelaufen|scadut[oa])(?!\p{L})|cert_has_expired|unable_to_verify_leaf|err_cert/iu,
    steps: [
      {
        id: 'read_the_certificate',
        text: 'Read the certificate that the server sends: its names, its issuer and its expiry (openssl s_client -connect HOST:443 -servername HOST).',
        reason: 'That shows whether it expired, names another host, or lacks an intermediate certificate.',
      },
      {
        id: 'compare_the_clock',
        text: 'Compare the clock of your machine with the validity of the certificate.',
        reason: 'With a wrong clock a valid certificate looks expired.',
      },
      {
        id: 'ask_for_renewal',
        text: 'Ask whoever runs the server to renew the certificate, and keep verification on until then.',
        reason: 'Without verification, anybody in between can read and change what you send.',
      },
    ],
  },
  {
    name: 'auth',
    title: 'a rejected credential',
    words:
      /\bunauthori[sz]ed\b|\bforbidden\b|access denied|authentication failed|invalid_grant|permission denied \(publickey|\b(?:token|credential|key|password|secret)s? (?:has |have |had |is |are |was |were )?(?:been )?(?:expired|invalid|revoked|rejected)|\b(?:expired|invalid|revoked|rejected) (?:api |access |refresh )?(?:token|credential|key|password)/i,
    statuses: [401, 403],
    steps: [
      {
        id: 'stop_and_read_refusal',
        text: 'Stop using this credential and read the error: is the credential unknown, expired, or missing a permission?',
        reason: 'The same credential gets the same answer, and some services lock it after several attempts.',
      },
      {
        id: 'check_the_source',
        text: 'Compare where the credential comes from with where it is used: name, environment and expiry. Do not print it.',
        reason: 'Rejected credentials are often valid, but for a different environment.',
      },
      {
        id: 'ask_the_owner',
        text: 'Ask the owner of the credential for a new one with exactly the permission that was denied.',
        reason: 'An agent cannot grant itself a permission.',
      },
    ],
  },
  {
    name: 'dns',
    title: 'a name that does not resolve correctly',
    words:
      /\benotfound\b|\beai_again\b|nxdomain|getaddrinfo|\bdns\b[^!?\n]{0,30}\b(?:fail\w*|errors?|broken|wrong|down|outages?|not|n't|issues?|problems?|stale|tim\w+.?out|lookup)\b|\b(?:wrong|stale|broken|failing) dns\b|could not resolve host|name resolution|resolve[sd]? to (?:a |the |another )?(?:wrong|old|stale|different)|host ?names? (?:is|are|was|were|does|do|can)(?: not|n't|not) (?:be )?resolved?/i,
    steps: [
      {
        id: 'resolve_the_name',
        text: 'Resolve the name alone (dig NAME or getent hosts NAME), and compare the address with the one you expect.',
        reason: 'That separates a name that does not resolve from a service that does not answer.',
      },
      {
        id: 'ask_another_resolver',
        text: 'Resolve it on another machine or with another resolver, and look for an entry in the hosts file.',
        reason: 'A difference points at a cache or a local override, not at the record.',
      },
      {
        id: 'wait_for_the_ttl',
        text: 'If the record was changed, wait for its TTL, then restart the process that keeps the old address.',
        reason: 'Resolvers and long-running processes keep an address until it expires.',
      },
    ],
  },
  {
    name: 'network_down',
    title: 'a network that cannot be reached',
    words:
      /network (?:is |was |seems )?(?:down|unreachable)|\benetunreach\b|\behostunreach\b|\benetdown\b|\bno (?:internet|network|connectivity)\b|lost (?:the |our |my )?(?:internet|network|connectivity)|no route to host/i,
    steps: [
      {
        id: 'find_the_break',
        text: 'Reach three targets, nearest first: your gateway, another host in your network, a host outside. Record the first that fails.',
        reason: 'The first target that fails shows where the path is broken.',
      },
      {
        id: 'save_the_work',
        text: 'Write unsaved results to the local disk, and stop everything that retries over the network.',
        reason: 'What is on disk survives, and retries add load when the network returns.',
      },
      {
        id: 'resume_with_one',
        text: 'Probe once a minute; when one request succeeds, resume with one worker before you start the others.',
        reason: 'A network that returns may fail again under full load.',
      },
    ],
  },
  {
    name: 'connection_lost',
    title: 'connections that are cut off',
    words:
      /\beconnreset\b|\betimedout\b|\beconnaborted\b|\bepipe\b|socket hang up|broken pipe|connection (?:was |is |has been )?(?:reset|closed by|aborted|dropped|lost)|unexpected eof|premature (?:close|end)|\bconnect(?:ion)? tim(?:e|ed).?out/i,
    steps: [
      {
        id: 'repeat_once_with_time',
        text: 'Repeat the one call by itself, with its address and the time until it is cut off written down.',
        reason:
          'At once points at a proxy or a closed port, after a fixed time at a limit, at random at the network.',
      },
      {
        id: 'go_another_way',
        text: 'Make the same call from another machine or network, and compare the proxy settings of both.',
        reason: 'It separates the way to the service from the service.',
      },
      {
        id: 'retry_safely',
        text: 'Repeat only what may arrive twice, with growing pauses and at most five times.',
        reason: 'A call that was cut off may have been carried out.',
      },
    ],
  },
  {
    name: 'dependency_down',
    title: 'a failing dependency',
    words:
      /\beconnrefused\b|connection (?:was |is )?refused|verbindung (?:abgelehnt|verweigert)|conexión rechazada|connexion refusée|service unavailable|bad gateway|gateway time.?out|internal server error|\b5xx\b|\bunreachable\b|\boutage\b|\b(?:is|are) down\b/i,
    statuses: [500, 502, 503, 504],
    steps: [
      {
        id: 'call_it_once',
        text: 'Call the service once in isolation, with its smallest request, and record the exact response.',
        reason: 'That distinguishes a service that is down from a request it cannot serve.',
      },
      {
        id: 'pause_callers',
        text: 'Pause everything that calls this service, and try one request per minute until one succeeds.',
        reason: 'A service that recovers under full load may go down again.',
      },
      {
        id: 'go_on_without',
        text: 'List the work that does not need this service, and do the first item.',
        reason: 'Work that does not depend on the service need not wait.',
      },
    ],
  },
  {
    name: 'connection_pool',
    title: 'no free connections',
    words:
      /too many (?:clients|connections)|(?:remaining )?connection slots|\bmax_connections\b|\b(?:connection )?pool (?:is |was )?(?:exhausted|full|timeout|depleted)|(?:ran |run |running )?out of connections/i,
    steps: [
      {
        id: 'count_connections',
        text: 'Count the open connections by client and state, and compare with the limit (in PostgreSQL: pg_stat_activity).',
        reason: 'Many idle connections of one client are a leak; many active ones are load.',
      },
      {
        id: 'shrink_the_pools',
        text: 'Make the pools of all instances together smaller than the limit, and close what is idle.',
        reason: 'Each instance has its own pool, and their sum counts.',
      },
      {
        id: 'release_on_failure',
        text: 'Check that each connection is given back also when its work fails.',
        reason: 'Connections are usually lost on the path that fails.',
      },
    ],
  },
  {
    name: 'consumer_lag',
    title: 'consumers that fall behind',
    words:
      /\b(?:consumer|kafka|replication|partition|topic)s?\b[^!?\n]{0,40}\b(?:lag(?:s|ging)?|behind)\b|\blag\b[^!?\n]{0,40}\b(?:grow|increas|ris|climb|million|thousand|[1-9])|consumer group\b[^!?\n]{0,40}\brebalanc/i,
    steps: [
      {
        id: 'lag_by_partition',
        text: 'Read the lag of each partition twice, a minute apart: is it all of them or one, and is the committed offset moving?',
        reason: 'One stuck partition is a bad message or a hot key; all of them is too little throughput.',
      },
      {
        id: 'look_at_the_stuck_message',
        text: 'If one offset does not move, read the message at it, and move it to a dead-letter topic before you skip it.',
        reason: 'A message that always fails stops everything behind it, and skipping it alone loses it.',
      },
      {
        id: 'measure_one_message',
        text: 'Measure how long one message takes, and whether the group keeps rebalancing (max.poll.interval.ms).',
        reason: 'A consumer that is removed while it works does the same messages again.',
      },
      {
        id: 'add_consumers',
        text: 'Add consumers, at most one per partition.',
        reason: 'Consumers beyond the number of partitions stay idle.',
      },
    ],
  },
  {
    name: 'backlog',
    title: 'a growing backlog',
    words:
      /\bbacklog\b[^!?\n]{0,30}\b(?:grow\w*|grew|ris\w+|increas\w+|huge|long|large|of \d+|at \d+|million|thousand|pil\w+)\b|\b(?:growing|huge|large|long|big) backlog\b|\bqueues? (?:is |are |keeps? |was |has |depth (?:is |keeps )?)?(?:still )?(?:grow|full|long|stuck|back(?:ed|ing) up|pil|ris)|\bpil(?:e|ed|ing) up/i,
    metric: 'queue',
    steps: [
      {
        id: 'stop_intake',
        text: 'Accept no new work until the queue is shorter, and tell the senders.',
        reason: 'A queue shrinks only when less comes in than goes out.',
      },
      {
        id: 'look_at_the_oldest',
        text: 'Inspect the oldest item in the queue: can it be done, is it still needed, what is it waiting for?',
        reason: 'One blocked item may hold up everything behind it.',
      },
      {
        id: 'drop_what_is_stale',
        text: 'Remove the items that nobody is waiting for any more, and keep a list of them.',
        reason: 'They take the same time as the items that are needed.',
      },
    ],
  },
  {
    name: 'slow',
    title: 'slow responses or timeouts',
    words:
      /\btim(?:e|ed|es|ing).?outs?\b|timeout(?:exception|error)|deadline exceeded|\b(?:latency|p9[59])\b[^!?\n]{0,40}\b(?:high|rose|ris\w+|grow\w*|grew|increas\w+|spik\w+|jump\w+|up|above|over|exceed\w*|degrad\w+|bad|worse|slow|doubled|tripled|at \d+)\b|\b(?:high|higher|rising|increased|bad|growing) (?:\w+ )?(?:latency|p9[59])\b|\b(?:is|are|got|gets|became|was|too|very|extremely|so) (?:too |very |so |extremely )?slow\b|\bslow (?:quer(?:y|ies)|responses|requests)\b|\bhang(?:s|ing)?\b(?! out)|\bhung\b|zeitüberschreitung|délai d'attente|タイムアウト|超时/i,
    metric: 'p95',
    steps: [
      {
        id: 'time_one_call',
        text: 'Run one slow call in isolation, and measure how long each part of it takes.',
        reason: 'It shows whether the call itself or the load is the problem.',
      },
      {
        id: 'ask_for_less',
        text: 'Request less per call: a smaller page, fewer items, a shorter input.',
        reason: 'It takes less time, and failures affect less work.',
      },
      {
        id: 'set_a_deadline',
        text: "Give every call a deadline shorter than your own caller's, and stop the work when it passes.",
        reason: 'Work that nobody is waiting for delays work that is needed.',
      },
    ],
  },
];
