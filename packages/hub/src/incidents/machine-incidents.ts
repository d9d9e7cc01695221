import type { IncidentKind } from './incident-kind.ts';

/** Trouble with the machine that an agent runs on, and with what is installed there. */
export const MACHINE_INCIDENTS: readonly IncidentKind[] = [
  {
    name: 'memory',
    title: 'a process that runs out of memory',
    words:
      /out of memory|\boom(?:.?kill(?:ed|er)?)?s?\b|heap (?:limit|size exceeded|exhausted)|\bexit(?:ed|s)?(?: with)?(?: code| status)?[:=]? ?137\b|\bcode 137\b|cannot allocate memory|\benomem\b|\bmemoryerror\b|\boutofmemory(?:error|exception)?\b|java heap space|gc overhead limit|\bmetaspace\b|\bbad_alloc\b|memory limit (?:was |is |has been )?(?:exceeded|reached)|exceeded (?:its |the )?memory limit|unable to allocate|memory leak|speicher (?:ist )?(?:voll|erschöpft)|mémoire insuffisante|memoria insuficiente|sin memoria|メモリ不足|内存不足/i,
    steps: [
      {
        id: 'do_not_restart',
        text: 'Do not restart it with the same input yet. Record the memory limit, the peak, and what it was working on when it was killed.',
        reason: 'The same input under the same limit ends the same way.',
      },
      {
        id: 'work_in_pieces',
        text: 'Process the work in chunks of a tenth of the size, one after another, and stream files instead of loading them.',
        reason: 'Peak usage matters, not the total.',
      },
      {
        id: 'one_at_a_time',
        text: 'Run one worker only, and watch whether memory grows with each item.',
        reason: 'Growth with each item is a leak; a high level from the start is a size problem.',
      },
      {
        id: 'raise_the_limit',
        text: 'If one chunk does not fit either, ask for a higher memory limit, with the measured peak as the reason.',
        reason: 'A limit below what the smallest unit of work needs cannot be met.',
      },
    ],
  },
  {
    name: 'disk_full',
    title: 'a full disk',
    words:
      /\benospc\b|no space left|\bdisk (?:space )?(?:is |was )?(?:almost |nearly |completely )?full|out of (?:disk|storage)|\bedquot\b|disk quota|\b(?:volume|partition|file ?system) (?:is |was )?(?:almost |nearly |completely )?full|ran out of disk|kein (?:speicher)?platz|(?:fest)?platte (?:ist |war )?(?:fast |ganz )?voll|(?:falta|sin|no (?:hay|queda)) (?:de )?espacio|disco (?:está )?(?:lleno|cheio|pieno)|falta de espaço|sem espaço|disque (?:est )?plein|plus (?:d'espace|de place)|espace disque insuffisant|ディスク(?:が|の)?(?:満杯|いっぱい|容量不足)|空き容量(?:が|の)?不足|磁盘(?:空间)?(?:已满|满了|不足|(?:还是|仍然?|又)是?满)|диск (?:заполнен|переполнен)|нет места/i,
    steps: [
      {
        id: 'stop_writers',
        text: 'Stop what writes to this disk, and keep partly written files marked as incomplete.',
        reason: 'Writes to a full disk leave truncated files behind.',
      },
      {
        id: 'find_the_largest',
        text: 'List the largest folders (du -x -d 2 | sort -n), the free inodes (df -i), and deleted files that are still open (lsof +L1).',
        reason: 'Space can be used by files, by their number, or by files that are deleted but open.',
      },
      {
        id: 'free_what_can_be_made_again',
        text: 'Free only what can be made again: caches, build results, rotated logs. Do not delete data or the only copy of a log.',
        reason: 'A full disk can be mended; deleted data often cannot.',
      },
      {
        id: 'verify_last_writes',
        text: 'Check the files that were written last, and repeat the writes that failed.',
        reason: 'What was written when the disk was full may be cut off.',
      },
    ],
  },
  {
    name: 'open_files',
    title: 'too many open files',
    words:
      /too many open files|\bemfile\b|\benfile\b|(?:out of|leak(?:ed|ing|s)?) file (?:descriptor|handle)s?|file (?:descriptor|handle)s? (?:limit|leak|exhausted)/i,
    steps: [
      {
        id: 'count_open_files',
        text: 'Count the open files of the process by kind (lsof -p PID), and compare with its limit (ulimit -n).',
        reason: 'It shows whether files, sockets or pipes are left open.',
      },
      {
        id: 'fewer_at_once',
        text: 'Limit how many files and connections are open at once, and close each one also when its work fails.',
        reason: 'Handles are usually lost on the path that fails.',
      },
      {
        id: 'raise_open_files',
        text: 'Restart the process, and raise the limit only if the count stays level over an hour.',
        reason: 'A higher limit delays a leak, but does not end it.',
      },
    ],
  },
  {
    name: 'lock',
    title: 'a deadlock or a lock that is not released',
    words:
      /\bdeadlock|lock (?:wait )?tim(?:e|ed).?out|could not obtain (?:a )?lock|database is locked|\bsqlite_busy\b|\block wait|waiting (?:for|on) (?:a |the )?(?:\w+ )?lock\b/i,
    steps: [
      {
        id: 'find_the_holder',
        text: 'Find who holds the lock and since when, before you end anything (in PostgreSQL: pg_stat_activity with pg_blocking_pids).',
        reason: 'The holder may be doing work that must not be cut off.',
      },
      {
        id: 'retry_the_victim',
        text: 'Roll the failed transaction back and run it again once, alone.',
        reason: 'In a deadlock one side is aborted, and repeating it is safe only from its start.',
      },
      {
        id: 'same_order',
        text: 'Take locks in the same order everywhere, keep transactions short, and make no remote calls in them.',
        reason: 'Two transactions that lock in the same order cannot wait for each other.',
      },
    ],
  },
  {
    name: 'database_permission',
    title: 'a permission that is missing in the database',
    words:
      /permission denied (?:for|on|to) (?:the )?(?:schema|table|relation|sequence|database|function|view|column|language|type|role|set role|materiali[sz]ed view)|\bmust be (?:owner of|superuser|member of role)|\b(?:select|insert|update|delete|execute|create|alter|references|usage|trigger) (?:command |permission |privilege )?(?:was )?denied\b|\binsufficient[ _]privileges?\b|\bORA-0(?:1031|1045)\b|\b42501\b|\blacks? (?:the )?\w+ (?:privilege|grant)/i,
    steps: [
      {
        id: 'show_the_grants',
        text: 'Show the role that you are connected as, and its grants on exactly that object (in PostgreSQL: select current_user, and \\dp or \\dn+ for the object).',
        reason: 'It shows whether the role is another one than you expect, or lacks one grant.',
      },
      {
        id: 'what_changed_the_grants',
        text: 'Find what changed since it last worked: a new or recreated table or schema, a new owner, or a migration that ran as another role.',
        reason: 'An object that is created again does not keep the grants of the old one.',
      },
      {
        id: 'ask_for_one_grant',
        text: 'Ask the owner of the object for the one missing grant, with the role, the object and the statement that was refused.',
        reason: 'One grant can be judged; a role that may do everything cannot.',
      },
    ],
  },
  {
    name: 'file_permission',
    title: 'a file that may not be read or written',
    words:
      /\beacces\b|\beperm\b|permission denied|(?<!\p{L})(?:zugriff verweigert|permiso denegado|permission refusée|permissão negada)|operation not permitted|read.only file ?system|\berofs\b|not writable/iu,
    except: /\(publickey/i,
    steps: [
      {
        id: 'who_owns_it',
        text: 'Show the owner and mode of the path and its parent folders (namei -l PATH), and the user that you run as (id).',
        reason: 'Often a parent folder denies access, not the file.',
      },
      {
        id: 'write_elsewhere',
        text: 'Write to a folder that is meant for you, and leave the mode of the other one as it is.',
        reason:
          'Opening a folder to everybody (chmod 777) or using sudo hides the cause and weakens the machine.',
      },
      {
        id: 'ask_for_access',
        text: 'Ask the owner of the folder for exactly the access that was denied, with the path and your user.',
        reason: 'The owner knows whether you should have it.',
      },
    ],
  },
  {
    name: 'clock',
    title: 'a clock that is wrong',
    words:
      /clock (?:skew|drift)|clock (?:is|was|runs) (?:\S+ ){0,3}(?:ahead|behind|wrong|off|fast|slow)|token used before issued|issued in the future|requesttimetooskewed|\btime (?:is|was) out of sync|\bntp\b[^!?\n]{0,20}\b(?:fail\w*|down|broken|unsynchroni[sz]ed|not)\b|clocks? (?:is|are) out of sync/i,
    steps: [
      {
        id: 'measure_the_offset',
        text: 'Measure the offset on both machines (timedatectl, chronyc tracking, or the Date header of a response).',
        reason: 'It shows which clock is wrong and by how much.',
      },
      {
        id: 'start_time_sync',
        text: 'Start time synchronization on the machine with the wrong clock, and let it correct the clock gradually.',
        reason: 'A clock that is set back by hand makes times repeat, which breaks leases and ordering.',
      },
      {
        id: 'renew_by_time',
        text: 'Afterwards get new tokens, and check jobs and records that were stamped meanwhile.',
        reason: 'What was signed or scheduled with the wrong time stays wrong.',
      },
    ],
  },
  {
    name: 'install',
    title: 'dependencies that cannot be installed together',
    words:
      /\beresolve\b|peer dep|(?:dependency|version)s? conflict|could not resolve dependenc|no matching distribution|resolutionimpossible|cannot find module|module ?not ?found|incompatible versions?/i,
    steps: [
      {
        id: 'first_line_of_conflict',
        text: 'Find the first package in the output that two others want in different versions, and name both.',
        reason: 'The lines after the first conflict usually follow from it.',
      },
      {
        id: 'install_from_lock',
        text: 'Install exactly what the lock file says in a clean folder (npm ci, pip install -r, cargo build --locked).',
        reason: 'It shows whether the project or your folder is the problem.',
      },
      {
        id: 'change_one_version',
        text: 'Change the version of one package so that both accept it, and avoid --force and --legacy-peer-deps.',
        reason: 'Forcing moves the conflict from the installation to the running program.',
      },
    ],
  },
];
