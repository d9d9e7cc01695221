import type { Symptom } from './symptom.ts';

/** A kind of trouble, how it is recognised, and what can be done about it, the gentlest first. */
export interface IncidentKind {
  readonly name: string;
  /** In a few words, after "this looks like". */
  readonly title: string;
  /** What a message says that is about it. */
  readonly words?: RegExp;
  /** The figure of a heartbeat that shows it. */
  readonly metric?: Symptom['metric'];
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id: string;
  /** One thing to do, as an instruction. */
  readonly text: string;
  /** Why, without a promise. */
  readonly reason: string;
}
