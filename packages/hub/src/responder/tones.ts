import type { Step } from '../incidents/incident-kinds.ts';
import type { Mode } from '../messages/message-request.ts';

/** The content of an answer, independent of the tone. */
export interface Answer {
  /** Absent if no incident was described. */
  readonly title?: string | undefined;
  readonly symptoms: readonly string[];
  readonly past: readonly string[];
  /** Absent if no further step is needed. */
  readonly step?: Step | undefined;
}

/** Renders an answer in the tone of a mode: fills in its templates, in the order in which the tone defines them. */
export function speak(mode: string | undefined, answer: Answer): string {
  const tone = toneOfMode(mode);
  return Object.entries(linesOf(tone, answer))
    .toSorted(([one], [other]) => orderIn(tone, one) - orderIn(tone, other))
    .flatMap(([, lines]) => lines)
    .join('\n');
}

function linesOf(tone: Tone, { title, symptoms, past, step }: Answer): Record<string, string[]> {
  if (step === undefined) {
    return { past: fill(tone.past, 'fact', past), resolved: [tone.resolved] };
  }
  return {
    opening: optional(tone.opening),
    incident: fill(tone.incident, 'title', title === undefined ? [] : [title]),
    symptom: title === undefined ? [] : fill(tone.symptom, 'symptom', symptoms),
    past: fill(tone.past, 'fact', past),
    step: fill(tone.step, 'step', [step.text]),
    reason: fill(tone.reason, 'reason', [step.reason]),
    closing: optional(tone.closing),
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
  /** Before everything else. */
  readonly opening?: string;
  /** `{title}` is the kind of incident. Omitted if no incident was described. */
  readonly incident?: string;
  /** `{symptom}` is one symptom; one line for each. */
  readonly symptom?: string;
  /** `{fact}` is one earlier step and its outcome; one line for each. */
  readonly past?: string;
  /** `{step}` is the next step. */
  readonly step: string;
  /** `{reason}` is the reason for the step. */
  readonly reason?: string;
  readonly closing?: string;
  /** Used instead of a step if the last one was reported to help. */
  readonly resolved: string;
}

/** The default tone: warm and calm. */
const gentle: Tone = {
  opening: 'Thank you for telling me where things stand. There is room to take one thing at a time.',
  incident: 'This sounds like {title}.',
  symptom: 'What tells me so: {symptom}.',
  past: 'I remember: {fact}',
  step: 'One small step, and only this one for now: {step}',
  reason: 'Why this one: {reason}',
  closing: 'When you have done it, come back and tell me what you saw. It does not have to be perfect.',
  resolved: 'I am glad to hear that. Nothing more is needed here; continue with what you were doing.',
};

/** Plain, neutral statements. */
const neutral: Tone = {
  incident: 'Incident: {title}.',
  symptom: 'Symptom: {symptom}.',
  past: 'Earlier: {fact}',
  step: 'Next step: {step}',
  reason: 'Reason: {reason}',
  closing: 'Report the result in the same session.',
  resolved: 'The step is recorded as helpful. No further step is needed.',
};

/** For people on call: the step first, then the reason. */
const operations: Tone = {
  step: 'DO: {step}',
  reason: 'WHY: {reason}',
  incident: 'INCIDENT: {title}',
  symptom: 'SYMPTOM: {symptom}',
  past: 'HISTORY: {fact}',
  closing: 'THEN: report the result in this session.',
  resolved: 'RESOLVED: the step is recorded as helpful.',
};

/** For programs: terse and parseable. */
const agent: Tone = {
  incident: 'incident: {title}',
  symptom: 'symptom: {symptom}',
  past: 'past: {fact}',
  step: 'next: {step}',
  resolved: 'next: continue; the last step is recorded as helpful',
};

/** For polling loops: one line. */
const heartbeat: Tone = {
  step: '{step}',
  resolved: 'Continue.',
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
