import type { IncidentKind, Step } from './incident-kind.ts';
import { MACHINE_INCIDENTS } from './machine-incidents.ts';
import { SERVICE_INCIDENTS } from './service-incidents.ts';
import { DESTRUCTIVE_ACTION, WEAKENED_PROTECTION } from './dangerous-actions.ts';
import { DATA_LOSS, HALF_DONE, WORK_INCIDENTS } from './work-incidents.ts';

/** Trouble that a message names without saying which. */
const GENERAL_INCIDENTS: readonly IncidentKind[] = [
  {
    name: 'loop',
    title: 'a loop without progress',
    words: /\bstuck\b|\bloop(?:s|ing)?\b|again and again|in circles|same (?:error|result|step)|no progress/i,
    isGeneral: true,
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
      /overwhelm|too much at once|\bpanic(?:king)?\b|\bstress(?:ed|ful)?\b|\bexhausted\b|losing track|don't know where to start/i,
    isGeneral: true,
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
    name: 'install_failed',
    title: 'an installation that fails',
    words:
      /\b(?:npm|pnpm|yarn|pip|cargo|poetry|bundle|apt|apt-get|brew|gem|composer|uv) (?:install|ci|add|sync|build)\b[^!?\n]{0,40}\b(?:fails?|failed|failing|errors?|breaks|stops)\b/i,
    isGeneral: true,
    steps: [
      {
        id: 'first_error_of_install',
        text: 'Send the first line of the output that names an error, and the command.',
        reason:
          'The network, a permission, a version and a compiler fail differently, and later lines follow from the first.',
      },
      {
        id: 'install_in_clean_folder',
        text: 'Run the same installation from the lock file in a clean folder.',
        reason: 'It shows whether the project or your folder is the problem.',
      },
    ],
  },
  {
    name: 'other_error',
    title: 'an error that no specific step is known for',
    words:
      /\b[a-z_][\w.]{0,80}(?:error|exception)(?=:|$| in | at )|\btraceback\b|\bcrashloopbackoff\b|\bimagepullbackoff\b|\berrimagepull\b|segmentation fault|core dumped|\bpanic:|\bexit(?:ed|s)? (?:with )?(?:code|status) [1-9]/i,
    isGeneral: true,
    steps: [
      {
        id: 'reproduce_it',
        text: 'Run the call that raised this error once more, alone and with the same input, and save the complete output.',
        reason:
          'An error that can be reproduced can be examined; one that cannot depends on load, order or time.',
      },
      {
        id: 'compare_with_working',
        text: 'Find an input or a version for which the same call works, and list what differs.',
        reason: 'The cause is among the differences.',
      },
    ],
  },
  {
    name: 'errors',
    title: 'a failure that the message does not name',
    words:
      /\berrors?\b|\bexceptions?\b|\bcrash(?:es|ed|ing)?\b|\bfail(?:s|ed|ing|ures?)?\b|\bbroken\b|\bnothing works\b|\b(?:does not|doesn't|not) work(?:ing)?\b/i,
    except:
      /\berror rates? (?:is |of |at |was )?0|\berrors? (?:handling|budget|messages?|codes?|classes|types|tracking)\b|\bfail(?:ed)?.?over\b|\bfail(?:ed)? (?:fast|safe|open|closed)\b/i,
    isGeneral: true,
    steps: [
      {
        id: 'send_error_text',
        text: 'Send the exact text of one error, and the call or command that caused it.',
        reason: 'The message names a failure, but not which one.',
      },
      {
        id: 'repeat_one',
        text: 'Reproduce one failing case in isolation, with its exact input, and save the complete output.',
        reason: 'A case that can be reproduced can be examined.',
      },
      {
        id: 'find_the_change',
        text: 'Find what changed before the first error: a release, a setting, a credential, an input.',
        reason: 'When something stops working, something has usually changed.',
      },
    ],
  },
  {
    name: 'error_rate',
    title: 'more errors than usual',
    metric: 'errors',
    isGeneral: true,
    steps: [
      {
        id: 'count_by_message',
        text: 'Count the errors of the last hour by message, and send the most frequent one here.',
        reason: 'Many errors often have few causes.',
      },
      {
        id: 'find_the_release',
        text: 'Find what changed before the first of these errors: a release, a setting, a credential, an input.',
        reason: 'When something stops working, something has usually changed.',
      },
    ],
  },
];

/** The first kind that a message describes wins: what cannot be undone first, what is least specific last. */
export const INCIDENT_KINDS: readonly IncidentKind[] = [
  DATA_LOSS,
  DESTRUCTIVE_ACTION,
  WEAKENED_PROTECTION,
  HALF_DONE,
  ...MACHINE_INCIDENTS,
  ...SERVICE_INCIDENTS,
  ...WORK_INCIDENTS,
  ...GENERAL_INCIDENTS,
];

/** For a message that describes no incident. */
export const NO_INCIDENT: IncidentKind = { name: 'none', title: 'no incident described', steps: [] };

/** When every known step was reported not to help, and the agent has a task that it can offer. */
export const HAND_OVER: Step = {
  id: 'hand_over',
  text: 'Stop here and offer your open task to another agent with handoff/offer.',
  reason: 'You reported for every step that is known for this that it did not help.',
};

/** When every known step was reported not to help, and there is no task to offer. */
export const ASK_FOR_HELP: Step = {
  id: 'ask_for_help',
  text: 'Stop here and tell the person who gave you this work: what fails, its exact error text, and the steps that you tried.',
  reason: 'You reported for every step that is known for this that it did not help.',
};
