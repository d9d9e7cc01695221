/** A kind of incident, how it is recognized, and the steps to take, the least invasive first. */
export interface IncidentKind {
  readonly name: string;
  /** A noun phrase that can follow "this looks like". */
  readonly title: string;
  /** Matches statements that describe it. */
  readonly words?: RegExp;
  /** Statements that match `words` and mean something harmless. */
  readonly except?: RegExp;
  /** The HTTP status codes that indicate it, where a number is meant as one. */
  readonly statuses?: readonly number[];
  /** The heartbeat metric that indicates it. */
  readonly metric?: Symptom['metric'];
  /** Says that there is trouble, but not which: any more specific kind explains it better. */
  readonly isGeneral?: true;
  /** Not trouble, but something that an agent does or wants to do. */
  readonly isAction?: true;
  /** An action to warn of, while other trouble in the same message is what is answered. */
  readonly isProtection?: true;
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
