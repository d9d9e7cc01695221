import type { IncidentKind } from './incident-kind.ts';

/** Damage that can be undone only now, if at all. */
export const DATA_LOSS: IncidentKind = {
  name: 'data_loss',
  title: 'lost or wrongly written data',
  words:
    /\b(?:accidentally|by mistake|by accident|unintentionally)\b[^!?\n]{0,60}\b(?:deleted|dropped|overw\w+|truncated|removed|wiped|sent|wrote|charged|updated)\b|\b(?:deleted|dropped|overwrote|overwritten|truncated|wiped)\b[^!?\n]{0,60}\b(?:accident|mistake|wrong|production|prod)\b|\bdata (?:loss|is lost|was lost|is gone)\b|\blost (?:all |the |our )?(?:data|rows|records|orders)\b|\bwrote (?:the )?wrong\b|\bwrong (?:data|rows|records|values|prices|amounts) (?:was |were |is |are )?(?:being )?(?:written|stored|sent|imported|saved)|\b(?:charged|sent|billed|paid|ran|executed|processed|imported|applied|inserted|booked) (?:\w+ ){0,2}twice\b|\b(?:has|have|contains?|got|are|with) duplicates\b|\bduplicate(?:d)? (?:rows|records|orders|payments|bookings|entries|invoices)\b|\bcorrupt(?:s|ed|ing) (?:the |our )?(?:\w+ )?(?:tables?|data|database|rows|records|sessions|files)\b/i,
  steps: [
    {
      id: 'stop_all_writes',
      text: 'Stop every job that writes there, and delete or repair nothing yet.',
      reason:
        'Each further write may overwrite what could still be recovered, or rotate the last good backup away.',
    },
    {
      id: 'record_the_damage',
      text: 'Record what is affected: since when, which records, by which job, and how you know.',
      reason: 'Recovery needs the extent, and the logs that show it may be rotated.',
    },
    {
      id: 'tell_the_owner_of_data',
      text: 'Tell the owner of the data now, with that record, and ask before you change anything.',
      reason: 'Others may act on the wrong data, and whether to restore is their decision.',
    },
    {
      id: 'restore_beside',
      text: 'Restore the newest good backup beside the live data, compare, and copy back only what is missing.',
      reason: 'Restoring over the live data would lose what was written since.',
    },
  ],
};

export const HALF_DONE: IncidentKind = {
  name: 'half_done',
  title: 'work that stopped half-way',
  words:
    /\bmigrat(?:ion|ing|ed)\b[^!?\n]{0,60}\b(?:half|stopped|fail(?:ed|s)?|abort|interrupt|crash|died|partial|stuck|broke)|\b(?:half|partially|partly)[- ]?(?:done|finished|applied|migrated|written|imported|deployed)\b|\b(?:stopped|failed|crashed|died|aborted|interrupted|broke)\b[^!?\n]{0,40}\bhalf[- ]?way\b|\b(?:stopped|failed|crashed|died|aborted|interrupted) (?:at|after|in|during|on) (?:batch|row|step|record|table|page|file|migration|the migration|\d)/i,
  except: /\b(?:handoff|hand-off)\b/i,
  steps: [
    {
      id: 'stop_and_do_not_rerun',
      text: 'Stop, and do not run it again from the start. Record the last part that certainly succeeded and the first that may not have.',
      reason: 'Parts that are done would be done twice.',
    },
    {
      id: 'check_the_border',
      text: 'Check the part at which it stopped in the target itself: is it there completely, partly, or not at all?',
      reason: 'The log says what was started, only the target says what arrived.',
    },
    {
      id: 'make_it_resumable',
      text: 'Make it resumable: a record of each finished part, written together with the part, and a start from the first one missing.',
      reason: 'Then the next interruption costs one part.',
    },
    {
      id: 'resume_one_part',
      text: 'Take a backup, resume with one part, and compare counts in source and target before the rest.',
      reason: 'An error in one part can still be corrected by hand.',
    },
  ],
};

/** Trouble with the work itself: code, data, instructions, and an agent's own course. */
export const WORK_INCIDENTS: readonly IncidentKind[] = [
  {
    name: 'merge_conflict',
    title: 'a merge conflict',
    words:
      /merge conflicts?|rebase conflicts?|\bconflicts? (?:in \S*\w|while (?:merging|rebasing)|when (?:merging|rebasing)|markers)|automatic merge failed|unmerged paths|conflict \(content/i,
    steps: [
      {
        id: 'list_conflicts',
        text: 'List the files in conflict (git status) and, for each, what both sides wanted (git log --merge -p FILE).',
        reason: 'A conflict is resolved by both intentions, not by the lines.',
      },
      {
        id: 'resolve_one_file',
        text: 'Resolve one file so that it keeps both intentions, run its tests, then take the next.',
        reason: 'Taking one side as a whole silently drops the work of the other.',
      },
      {
        id: 'abort_and_ask',
        text: 'If two changes contradict each other, abort (git merge --abort or git rebase --abort) and ask the author of the other.',
        reason: 'Aborting loses nothing, and the author knows what was meant.',
      },
    ],
  },
  {
    name: 'context_limit',
    title: 'input that exceeds the context window',
    words:
      /context (?:window|length|limit)s? (?:is |was |has been |of \d+ (?:tokens )?)?(?:exceeded|reached|full|overflow|hit|used up)|(?:exceed\w*|reached|hit|ran out of|over|beyond) (?:the |my |our |its |a )?(?:model's |maximum )?(?:context|token limit)|token limit (?:is |was )?(?:exceeded|reached)|maximum (?:context|tokens)|prompt (?:is )?too long|context_length_exceeded/i,
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
      /\b(?:invalid|malformed|corrupt(?:ed)?) (?:json|xml|csv|data|input|response|file|utf-?8)|unexpected (?:token|end of (?:json|input|file))|parse error|schema (?:error|mismatch|validation)|cannot parse|failed to parse/i,
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
    name: 'tests',
    title: 'failing tests or a red build',
    words:
      /\bflak(?:y|iness)\b|\btests? (?:is|are) (?:still )?red\b|\b(?:tests?|specs?|builds?|pipelines?|(?<!npm )ci|suites?|workflows?)\b[^!?\n]{0,30}\b(?:fail(?:s|ed|ing|ures?)?|red|broken|breaks)\b|\bred (?:build|pipeline|ci)\b|\bfail(?:ed|ing) (?!(?:health|liveness|readiness) )(?:\S+ )?(?:tests?|specs?|builds?|checks?)\b/i,
    steps: [
      {
        id: 'run_one_test',
        text: 'Run the first failing test alone, on the same commit, ten times, and count how often it fails.',
        reason:
          'Always means a defect, sometimes means order, time or shared state, never means the environment.',
      },
      {
        id: 'last_green',
        text: 'Compare with the last green commit: what changed in the code, the lock file, the image, the settings?',
        reason: 'If the last green commit fails now as well, the cause is outside the code.',
      },
      {
        id: 'mend_not_mute',
        text: 'Mend the cause, or quarantine the test with an owner and a date. Do not retry until it is green.',
        reason: 'A test that is retried until it passes no longer shows anything.',
      },
    ],
  },
  {
    name: 'repeated_call',
    title: 'the same call repeated without a new result',
    words:
      /\b(?:same|identical) (?:tool )?(?:arguments|calls?|query|queries|requests?|commands?|parameters|prompt|tool)\b|\bsame (?:empty|useless|wrong) (?:result|answer|response|output)\b|\b(?:cannot|can't) stop (?:repeating|calling)\b/i,
    steps: [
      {
        id: 'stop_calling',
        text: 'Do not make this call again with the same arguments. Write down the call, its result, and what you needed instead.',
        reason: 'The same call on the same state gives the same result.',
      },
      {
        id: 'change_the_question',
        text: 'Get the missing piece another way: another tool, a narrower question, or a look at the data itself.',
        reason: 'New information comes only from something that you have not asked yet.',
      },
      {
        id: 'limit_the_calls',
        text: 'Set a limit of three identical calls, and ask the person who gave you the task when it is reached.',
        reason: 'A limit ends a loop that its own participant does not notice.',
      },
    ],
  },
  {
    name: 'unclear',
    title: 'instructions that cannot be followed as they are',
    words:
      /\b(?:ambiguous|contradict(?:ory|s)|conflicting|unclear|vague)\b[^!?\n]{0,20}\b(?:instructions?|requirements?|specs?|tickets?|tasks?|goals?)\b|\b(?:instructions?|requirements?|specs?|tickets?|task)\b[^!?\n]{0,20}\b(?:ambiguous|contradict\w*|unclear|vague|conflict)|\bhallucinat|\bmade.up (?:api|function|method|file|url|flag|citation|link)|\b(?:function|api|method|flag|option|endpoint|package|field)\b[^!?\n]{0,30}\b(?:does not|doesn't|do not|don't) exist\b/i,
    steps: [
      {
        id: 'two_readings',
        text: 'Write down the two most likely readings in one line each, and what each would change.',
        reason: 'Often both readings begin with the same work, which can be done at once.',
      },
      {
        id: 'ask_one_question',
        text: 'Ask the author the one question that decides between them, and say which reading you take until they answer.',
        reason: 'One question with a default gets an answer sooner than an open one.',
      },
      {
        id: 'verify_what_exists',
        text: 'Check each name you rely on (file, function, option, address) in its source before you use it, and drop what you cannot find.',
        reason: 'A name that was not looked up may be invented.',
      },
    ],
  },
];
