import type { Symptom } from './symptom.ts';

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
