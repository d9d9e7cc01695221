/** Templates for the lines of an answer. A missing template or an empty placeholder omits the line. */
export interface Tone {
  readonly name: string;
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
