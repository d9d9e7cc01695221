import type { IncidentKind, Step } from './incident-kind.ts';

/** The first one whose words are in a message is the one; so those with plainer words come later. */
export const INCIDENT_KINDS: readonly IncidentKind[] = [
  {
    name: 'rate_limit',
    title: 'calls that are refused because there are too many',
    words: /\b429\b|rate.?limit|too many requests|throttl|retry storm|quota exceeded/i,
    steps: [
      {
        id: 'stop_retries',
        text: 'Stop all automatic retries of the refused call for as long as Retry-After says, or for 60 seconds if it says nothing.',
        reason: 'Every retry counts against the same limit.',
      },
      {
        id: 'probe_once',
        text: 'Send one single request. If it is refused, wait twice as long as before and send one again.',
        reason: 'One request shows whether the limit has passed without using it up.',
      },
      {
        id: 'halve_the_rate',
        text: 'Go on with half the rate that was refused, with a random pause before each retry.',
        reason: 'Callers that retry at the same moment meet the limit together.',
      },
      {
        id: 'queue_the_work',
        text: 'Put the waiting calls into one queue with a fixed rate, and drop those that are no longer needed.',
        reason: 'A limit is kept in one place more easily than in many.',
      },
    ],
  },
  {
    name: 'auth',
    title: 'a credential that is not accepted',
    words:
      /\b40[13]\b|unauthori[sz]ed|forbidden|permission denied|(?:token|credential|key)s? (?:has |have |is |are )?(?:expired|invalid|revoked)|(?:expired|invalid|revoked) (?:api )?(?:token|credential|key)/i,
    steps: [
      {
        id: 'stop_and_read_refusal',
        text: 'Stop calling with this credential and read the refusal: is it unknown, expired, or without this permission?',
        reason: 'The same credential gets the same answer, and some services lock it after several tries.',
      },
      {
        id: 'check_the_source',
        text: 'Compare where the credential comes from with where it is used: name, environment, and when it ends.',
        reason: 'Refused credentials are often the right ones for another place.',
      },
      {
        id: 'ask_the_owner',
        text: 'Ask the owner of the credential for a new one with exactly the permission that was refused.',
        reason: 'An agent cannot give itself a permission.',
      },
    ],
  },
  {
    name: 'dependency_down',
    title: 'a service that does not answer as it should',
    words:
      /\b50[0234]\b|econnrefused|econnreset|connection (?:refused|reset)|service unavailable|bad gateway|unreachable|outage|is down\b/i,
    steps: [
      {
        id: 'call_it_once',
        text: 'Call the service once by itself, with the smallest request it has, and note the exact answer.',
        reason: 'That tells a service that is down from a request that it cannot serve.',
      },
      {
        id: 'pause_callers',
        text: 'Pause everything that calls this service, and try one call every minute until one succeeds.',
        reason: 'A service that comes back under full load may go down again.',
      },
      {
        id: 'go_on_without',
        text: 'List what can be done without this service, and do the first item of that list.',
        reason: 'Work that does not depend on it need not wait.',
      },
    ],
  },
  {
    name: 'resources',
    title: 'a machine that runs out of something',
    words: /out of memory|\boom\b|enospc|no space left|disk (?:is )?full|too many open files|emfile/i,
    steps: [
      {
        id: 'stop_starting',
        text: 'Start nothing new until what runs has ended, and note what uses most of it.',
        reason: 'What is used up comes back only when something ends.',
      },
      {
        id: 'free_the_largest',
        text: 'End or remove the one largest user that can be made again.',
        reason: 'One large thing is found and checked faster than many small ones.',
      },
      {
        id: 'work_in_pieces',
        text: 'Do the work in pieces of a tenth of the size, one after another.',
        reason: 'The most that is needed at once counts, not the sum.',
      },
    ],
  },
  {
    name: 'context_limit',
    title: 'more text than fits',
    words: /context (?:window|length|limit)|token limit|maximum (?:context|tokens)|prompt (?:is )?too long/i,
    steps: [
      {
        id: 'keep_the_goal',
        text: 'Keep the goal, the decisions and the last result in ten lines, and drop the rest of the conversation.',
        reason: 'Those are what the next step needs.',
      },
      {
        id: 'read_in_parts',
        text: 'Read the long input in parts and write one line about each before reading the next.',
        reason: 'A note is kept where a long text is not.',
      },
    ],
  },
  {
    name: 'bad_data',
    title: 'data that is not as expected',
    words:
      /(?:invalid|malformed|unexpected|corrupt(?:ed)?) (?:json|data|input|token|response|file)|parse error|schema (?:error|mismatch|validation)|cannot parse/i,
    steps: [
      {
        id: 'keep_one_example',
        text: 'Keep one example of the data as it came, and find the first place where it differs from what you expect.',
        reason: 'The first difference often explains the others.',
      },
      {
        id: 'set_it_aside',
        text: 'Set the items that do not fit aside with their reason, and go on with the others.',
        reason: 'One bad item need not stop the good ones.',
      },
      {
        id: 'ask_the_sender',
        text: 'Show the example to whoever sends the data, and ask which of the two forms is meant.',
        reason: 'Guessing at a form hides the next change of it.',
      },
    ],
  },
  {
    name: 'slow',
    title: 'work that takes too long',
    words: /time[ds]?.?out|deadline exceeded|\blatency\b|too slow|\bhang(?:s|ing)?\b|p95/i,
    metric: 'p95',
    steps: [
      {
        id: 'time_one_call',
        text: 'Run one slow call by itself and note how long each part of it takes.',
        reason: 'It shows whether the call or the load is slow.',
      },
      {
        id: 'ask_for_less',
        text: 'Ask for less in one call: a smaller page, fewer items, a shorter input.',
        reason: 'It takes less time and fails in smaller pieces.',
      },
      {
        id: 'set_a_deadline',
        text: 'Give every call a deadline below that of your own caller, and stop the work when it has passed.',
        reason: 'Work that nobody waits for any more takes the place of work that is wanted.',
      },
    ],
  },
  {
    name: 'backlog',
    title: 'work that comes in faster than it is done',
    words: /\bbacklog\b|\bqueue\b|pil(?:e|ed|ing) up/i,
    metric: 'queue',
    steps: [
      {
        id: 'stop_intake',
        text: 'Take in no new work until the queue is shorter, and tell those who send it.',
        reason: 'A queue shrinks only when less comes in than goes out.',
      },
      {
        id: 'look_at_the_oldest',
        text: 'Look at the oldest item of the queue: can it be done, is it still wanted, what does it wait for?',
        reason: 'One item that cannot be done may hold up all behind it.',
      },
      {
        id: 'drop_what_is_stale',
        text: 'Remove the items that nobody waits for any more, and keep a list of them.',
        reason: 'They take the same time as those that are wanted.',
      },
    ],
  },
  {
    name: 'loop',
    title: 'the same thing again and again',
    words: /\bstuck\b|\bloop(?:s|ing)?\b|again and again|in circles|same (?:error|result|step)|no progress/i,
    steps: [
      {
        id: 'write_three_lines',
        text: 'Write three lines: what you tried last, what you expected, and what you saw instead.',
        reason: 'The difference between the last two is where to look.',
      },
      {
        id: 'change_one_thing',
        text: 'Change one single thing in what you do, and run it once.',
        reason: 'With two changes nobody knows which one counted.',
      },
      {
        id: 'go_back_to_working',
        text: 'Go back to the last state that worked, and make the smallest change from there.',
        reason: 'A known good state halves what has to be searched.',
      },
    ],
  },
  {
    name: 'overload',
    title: 'too much at once',
    words:
      /overwhelm|too much at once|\bpanic|stress(?:ed|ful)?\b|exhaust(?:ed|ing)|losing track|don't know where to start/i,
    steps: [
      {
        id: 'name_one_thing',
        text: 'Write down everything that is open, one line each, and mark the one line that others wait for.',
        reason: 'What is written down need not be held in mind.',
      },
      {
        id: 'do_only_that',
        text: 'Do the marked line and nothing else until it is done or given away.',
        reason: 'One finished thing is worth more than five begun ones.',
      },
    ],
  },
  {
    name: 'errors',
    title: 'errors',
    words: /\berrors?\b|exception|\bcrash(?:es|ed|ing)?\b|\bfail(?:s|ed|ing|ures?)?\b|broken/i,
    metric: 'errors',
    steps: [
      {
        id: 'count_by_message',
        text: 'Count the errors of the last hour by their message, and look at the most frequent one alone.',
        reason: 'Many errors often have few causes.',
      },
      {
        id: 'find_the_change',
        text: 'Find what changed before the first of them: a release, a setting, a credential, an input.',
        reason: 'What worked before and does not now has usually been changed.',
      },
      {
        id: 'repeat_one',
        text: 'Repeat one failing case by itself, with its exact input, and keep its whole output.',
        reason: 'A case that can be repeated can be examined.',
      },
    ],
  },
];

/** For a message that names no trouble. */
export const NO_INCIDENT: IncidentKind = {
  name: 'none',
  title: 'no trouble that was named',
  steps: [
    {
      id: 'state_goal_and_state',
      text: 'Say in one line what should be true when you are done, and in another what is true now.',
      reason: 'The distance between the two is the work.',
    },
    {
      id: 'smallest_check',
      text: 'Choose the smallest thing that brings the two lines nearer, do it, and look at the result.',
      reason: 'A small step shows soonest whether the direction is right.',
    },
  ],
};

/** When no trouble was named again and again. */
export const CARRY_ON: Step = {
  id: 'carry_on',
  text: 'Go on with what you were doing, and say here what stands in the way when something does.',
  reason: 'No trouble was named.',
};

/** When everything that is known for a kind was tried in vain. */
export const HAND_OVER: Step = {
  id: 'hand_over',
  text: 'Stop here and offer the task to another agent with handoff/offer; the packet takes along what was tried.',
  reason: 'Every step that is known for this was tried in this session, and none was reported to help.',
};
