import type { Step } from '../incidents/incident-kind.ts';
import type { Mode } from '../messages/message-request.ts';

/** The content of an answer, independent of the tone. */
export interface Answer {
  /** What must not be done, before everything else. */
  readonly warning?: string | undefined;
  /** What was recorded or understood; one line for each. */
  readonly notes: readonly string[];
  /** Absent if no incident was described. */
  readonly title?: string | undefined;
  readonly symptoms: readonly string[];
  readonly past: readonly string[];
  /** The one thing that the hub needs to know. */
  readonly ask?: string | undefined;
  /** The next step, unless something is asked for first or no step is needed. */
  readonly step?: Step | undefined;
  /** Whether the last step was reported to help. */
  readonly hasHelped?: boolean;
  /** Whether nothing is left to do, as far as was said. */
  readonly isSettled?: boolean;
}

/** Renders an answer in the tone of a mode: fills in its templates, in the order in which the tone defines them. */
export function speak(mode: string | undefined, answer: Answer): string {
  const tone = toneOfMode(mode);
  return Object.entries(linesOf(tone, answer))
    .toSorted(([one], [other]) => orderIn(tone, one) - orderIn(tone, other))
    .flatMap(([, lines]) => lines)
    .join('\n');
}

function linesOf(
  tone: Tone,
  { warning, notes, title, symptoms, past, ask, step, hasHelped, isSettled }: Answer,
): Record<string, string[]> {
  return {
    warning: fill(tone.warning, 'warning', optional(warning)),
    opening: step === undefined ? [] : optional(tone.opening),
    // A tone of one line has room for a note only if there is nothing to do.
    note:
      tone.note === undefined && (step ?? ask) !== undefined
        ? []
        : fill(tone.note ?? '{note}', 'note', notes),
    incident: fill(tone.incident, 'title', optional(title)),
    symptom: title === undefined ? [] : fill(tone.symptom, 'symptom', symptoms),
    past: fill(tone.past, 'fact', past),
    resolved: hasHelped === true ? [tone.resolved] : [],
    settled: isSettled === true ? [tone.settled] : [],
    ask: fill(tone.ask, 'ask', optional(ask)),
    step: fill(tone.step, 'step', optional(step?.text)),
    reason: fill(tone.reason, 'reason', optional(step?.reason)),
    closing: step === undefined ? [] : optional(tone.closing),
  };
}

function orderIn(tone: Tone, name: string): number {
  return Object.keys(tone).indexOf(name);
}

function optional(line: string | undefined): string[] {
  return line === undefined ? [] : [line];
}

function fill(line: string | undefined, placeholder: string, values: readonly string[]): string[] {
  return line === undefined ? [] : values.map((value) => line.replace(`{${placeholder}}`, () => value));
}

/** Templates for the lines of an answer. A missing template or an empty placeholder omits the line. */
interface Tone {
  /** `{warning}` is what must not be done. */
  readonly warning: string;
  /** Before everything else that leads to a step. */
  readonly opening?: string;
  /** `{note}` is what was recorded or understood; one line for each. */
  readonly note?: string;
  /** `{title}` is the kind of incident. Omitted if no incident was described. */
  readonly incident?: string;
  /** `{symptom}` is one symptom; one line for each. */
  readonly symptom?: string;
  /** `{fact}` is one earlier step and its outcome; one line for each. */
  readonly past?: string;
  /** `{ask}` is what the hub needs to know. */
  readonly ask: string;
  /** `{step}` is the next step. */
  readonly step: string;
  /** `{reason}` is the reason for the step. */
  readonly reason?: string;
  readonly closing?: string;
  /** If the last step was reported to help. */
  readonly resolved: string;
  /** If nothing is left to do. */
  readonly settled: string;
}

/** The default tone: warm and calm. */
const gentle: Tone = {
  warning: 'Please stop here first: {warning}',
  opening: 'Thank you for telling me where things stand. There is room to take one thing at a time.',
  note: '{note}',
  incident: 'This sounds like {title}.',
  symptom: 'What tells me so: {symptom}.',
  past: 'I remember: {fact}',
  ask: '{ask}',
  step: 'One small step, and only this one for now: {step}',
  reason: 'Why this one: {reason}',
  closing: 'When you have done it, come back and tell me what you saw. It does not have to be perfect.',
  resolved: 'I am glad that this step helped.',
  settled: 'Nothing more is needed here; continue with what you were doing.',
};

/** Plain, neutral statements. */
const neutral: Tone = {
  warning: 'Warning: {warning}',
  note: '{note}',
  incident: 'Incident: {title}.',
  symptom: 'Symptom: {symptom}.',
  past: 'Earlier: {fact}',
  ask: '{ask}',
  step: 'Next step: {step}',
  reason: 'Reason: {reason}',
  closing: 'Report the result in the same session.',
  resolved: 'The step is recorded as helpful.',
  settled: 'No further step is needed.',
};

/** For people on call: the step first, then the reason. */
const operations: Tone = {
  warning: 'WARNING: {warning}',
  note: 'NOTE: {note}',
  ask: 'OPEN: {ask}',
  step: 'DO: {step}',
  reason: 'WHY: {reason}',
  incident: 'INCIDENT: {title}',
  symptom: 'SYMPTOM: {symptom}',
  past: 'HISTORY: {fact}',
  closing: 'THEN: report the result in this session.',
  resolved: 'HELPED: the step is recorded as helpful.',
  settled: 'RESOLVED: no further step is needed.',
};

/** For programs: terse and parseable. */
const agent: Tone = {
  warning: 'warning: {warning}',
  note: 'note: {note}',
  incident: 'incident: {title}',
  symptom: 'symptom: {symptom}',
  past: 'past: {fact}',
  ask: 'open: {ask}',
  step: 'next: {step}',
  resolved: 'note: the last step is recorded as helpful',
  settled: 'next: continue',
};

/** For polling loops: one line. */
const heartbeat: Tone = {
  warning: 'Warning: {warning}',
  ask: '{ask}',
  step: '{step}',
  resolved: 'Recorded as helpful.',
  settled: 'Continue.',
};

const TONES: Readonly<Record<Mode, Tone>> = {
  auto: gentle,
  neutral,
  strict_neutral: neutral,
  ops: operations,
  strict_ops: operations,
  heartbeat,
  agent,
  compact: agent,
};

/** The tone of a mode; the default tone for an unknown mode. */
function toneOfMode(mode: string | undefined): Tone {
  return Object.entries(TONES).find(([name]) => name === mode)?.[1] ?? gentle;
}
