import type { Step } from '../incidents/incident-kind.ts';
import type { Tone } from './tones/tone.ts';

/** The content of an answer, independent of the tone. */
export interface Answer {
  /** Absent if no incident was described. */
  readonly title?: string;
  readonly symptoms: readonly string[];
  readonly past: readonly string[];
  /** Absent if no further step is needed. */
  readonly step?: Step;
}

/** Renders an answer: fills in the templates of a tone, in the order in which the tone defines them. */
export function speak(tone: Tone, answer: Answer): string {
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
