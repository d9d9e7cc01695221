import type { Step } from '../incidents/incident-kind.ts';
import type { Tone } from './tones/tone.ts';

/** What is to be said, whatever the tone. */
export interface Answer {
  /** Absent where no trouble was named. */
  readonly title?: string;
  readonly symptoms: readonly string[];
  readonly past: readonly string[];
  /** Absent when nothing more is needed. */
  readonly step?: Step;
}

/** The lines of a tone in the order in which its file has them, with what is known in their places. */
export function speak(tone: Tone, answer: Answer): string {
  return Object.entries(linesOf(tone, answer))
    .toSorted(([one], [other]) => orderIn(tone, one) - orderIn(tone, other))
    .flatMap(([, lines]) => lines)
    .join('\n');
}

function linesOf(tone: Tone, { title, symptoms, past, step }: Answer): Record<string, string[]> {
  if (step === undefined) {
    return { past: fill(tone.past, 'fact', past), relief: [tone.relief] };
  }
  return {
    opening: said(tone.opening),
    incident: fill(tone.incident, 'title', title === undefined ? [] : [title]),
    symptom: title === undefined ? [] : fill(tone.symptom, 'symptom', symptoms),
    past: fill(tone.past, 'fact', past),
    step: fill(tone.step, 'step', [step.text]),
    reason: fill(tone.reason, 'reason', [step.reason]),
    closing: said(tone.closing),
  };
}

function orderIn(tone: Tone, name: string): number {
  return Object.keys(tone).indexOf(name);
}

function said(line: string | undefined): string[] {
  return line === undefined ? [] : [line];
}

function fill(line: string | undefined, place: string, values: readonly string[]): string[] {
  return line === undefined ? [] : values.map((value) => line.replace(`{${place}}`, () => value));
}
