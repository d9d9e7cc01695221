/** A kind of incident, how it is recognized, and the steps to take, the least invasive first. */
export interface IncidentKind {
  readonly name: string;
  /** A noun phrase that can follow "this looks like". */
  readonly title: string;
  /** Matches messages that describe it. */
  readonly words?: RegExp;
  /** The heartbeat metric that indicates it. */
  readonly metric?: Symptom['metric'];
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id: string;
  /** One instruction. */
  readonly text: string;
  /** The reason, without promising success. */
  readonly reason: string;
}

/** An abnormal heartbeat metric and its description. */
export interface Symptom {
  readonly metric: 'errors' | 'p95' | 'queue';
  readonly text: string;
}

/** The first kind whose pattern matches a message wins, so kinds with more general patterns come later. */
export const INCIDENT_KINDS: readonly IncidentKind[] = [
  {
    name: 'rate_limit',
    title: 'rate limiting',
    words: /\b429\b|rate.?limit|too many requests|throttl|retry storm|quota exceeded/i,
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
    name: 'auth',
    title: 'a rejected credential',
    words:
      /\b40[13]\b|unauthori[sz]ed|forbidden|permission denied|(?:token|credential|key)s? (?:has |have |is |are )?(?:expired|invalid|revoked)|(?:expired|invalid|revoked) (?:api )?(?:token|credential|key)/i,
    steps: [
      {
        id: 'stop_and_read_refusal',
        text: 'Stop using this credential and read the error: is the credential unknown, expired, or missing a permission?',
        reason: 'The same credential gets the same answer, and some services lock it after several attempts.',
      },
      {
        id: 'check_the_source',
        text: 'Compare where the credential comes from with where it is used: name, environment and expiry.',
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
    name: 'dependency_down',
    title: 'a failing dependency',
    words:
      /\b50[0234]\b|econnrefused|econnreset|connection (?:refused|reset)|service unavailable|bad gateway|unreachable|outage|is down\b/i,
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
    name: 'resources',
    title: 'an exhausted machine resource',
    words: /out of memory|\boom\b|enospc|no space left|disk (?:is )?full|too many open files|emfile/i,
    steps: [
      {
        id: 'stop_starting',
        text: 'Start no new work until running work has finished, and find out what uses most of the resource.',
        reason: 'The resource is freed only when something ends.',
      },
      {
        id: 'free_the_largest',
        text: 'Stop or delete the largest consumer that can be recreated.',
        reason: 'One large item is faster to find and check than many small ones.',
      },
      {
        id: 'work_in_pieces',
        text: 'Process the work in chunks of a tenth of the size, one after another.',
        reason: 'Peak usage matters, not the total.',
      },
    ],
  },
  {
    name: 'context_limit',
    title: 'input that exceeds the context window',
    words: /context (?:window|length|limit)|token limit|maximum (?:context|tokens)|prompt (?:is )?too long/i,
    steps: [
      {
        id: 'keep_the_goal',
        text: 'Keep the goal, the decisions and the last result in ten lines, and drop the rest of the conversation.',
        reason: 'The next step needs only these.',
      },
      {
        id: 'read_in_parts',
        text: 'Read the long input in parts, and write one line about each part before you read the next.',
        reason: 'A short note fits where the full text does not.',
      },
    ],
  },
  {
    name: 'bad_data',
    title: 'invalid data',
    words:
      /(?:invalid|malformed|unexpected|corrupt(?:ed)?) (?:json|data|input|token|response|file)|parse error|schema (?:error|mismatch|validation)|cannot parse/i,
    steps: [
      {
        id: 'keep_one_example',
        text: 'Save one example of the data exactly as received, and find the first difference from what you expect.',
        reason: 'The first difference often explains the others.',
      },
      {
        id: 'set_it_aside',
        text: 'Set the invalid items aside with the reason, and continue with the others.',
        reason: 'One bad item need not stop the good ones.',
      },
      {
        id: 'ask_the_sender',
        text: 'Show the example to the sender of the data, and ask which of the two formats is correct.',
        reason: 'Guessing a format hides the next change to it.',
      },
    ],
  },
  {
    name: 'slow',
    title: 'slow responses or timeouts',
    words: /time[ds]?.?out|deadline exceeded|\blatency\b|too slow|\bhang(?:s|ing)?\b|p95/i,
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
  {
    name: 'backlog',
    title: 'a growing backlog',
    words: /\bbacklog\b|\bqueue\b|pil(?:e|ed|ing) up/i,
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
    name: 'loop',
    title: 'a loop without progress',
    words: /\bstuck\b|\bloop(?:s|ing)?\b|again and again|in circles|same (?:error|result|step)|no progress/i,
    steps: [
      {
        id: 'write_three_lines',
        text: 'Write three lines: what you tried last, what you expected, and what happened instead.',
        reason: 'The difference between the last two is where to look.',
      },
      {
        id: 'change_one_thing',
        text: 'Change one single thing in what you do, and run it once.',
        reason: 'With two changes you cannot tell which one mattered.',
      },
      {
        id: 'go_back_to_working',
        text: 'Go back to the last state that worked, and make the smallest change from there.',
        reason: 'A known good state halves the search.',
      },
    ],
  },
  {
    name: 'overload',
    title: 'too many things at once',
    words:
      /overwhelm|too much at once|\bpanic|stress(?:ed|ful)?\b|exhaust(?:ed|ing)|losing track|don't know where to start/i,
    steps: [
      {
        id: 'name_one_thing',
        text: 'Write down everything that is open, one line each, and mark the one line that others are waiting for.',
        reason: 'What is written down need not be kept in mind.',
      },
      {
        id: 'do_only_that',
        text: 'Work on the marked line and nothing else until it is done or handed over.',
        reason: 'One finished item is worth more than five started ones.',
      },
    ],
  },
  {
    name: 'errors',
    title: 'failures or errors',
    words: /\berrors?\b|exception|\bcrash(?:es|ed|ing)?\b|\bfail(?:s|ed|ing|ures?)?\b|broken/i,
    metric: 'errors',
    steps: [
      {
        id: 'count_by_message',
        text: 'Count the errors of the last hour by message, and look only at the most frequent one.',
        reason: 'Many errors often have few causes.',
      },
      {
        id: 'find_the_change',
        text: 'Find what changed before the first error: a release, a setting, a credential, an input.',
        reason: 'When something stops working, something has usually changed.',
      },
      {
        id: 'repeat_one',
        text: 'Reproduce one failing case in isolation, with its exact input, and save the complete output.',
        reason: 'A case that can be reproduced can be examined.',
      },
    ],
  },
];

/** For a message that describes no incident. */
export const NO_INCIDENT: IncidentKind = {
  name: 'none',
  title: 'no incident described',
  steps: [
    {
      id: 'state_goal_and_state',
      text: 'State in one line what should be true when you are done, and in another what is true now.',
      reason: 'The gap between the two is the work.',
    },
    {
      id: 'smallest_check',
      text: 'Choose the smallest action that narrows the gap, do it, and check the result.',
      reason: 'A small step shows soonest whether the direction is right.',
    },
  ],
};

/** When several messages in a row describe no incident. */
export const CARRY_ON: Step = {
  id: 'carry_on',
  text: 'Continue with what you were doing, and report here if something blocks you.',
  reason: 'No incident was described.',
};

/** When every known step for a kind of incident was tried without success. */
export const HAND_OVER: Step = {
  id: 'hand_over',
  text: 'Stop here and offer the task to another agent with handoff/offer; the packet includes what was tried.',
  reason: 'Every known step for this was tried in this session, and none was reported to help.',
};
