/**
 * How the responder speaks: lines with places for what it knows. A line that is absent is not said; a place that is empty
 * takes its line with it.
 */
export interface Tone {
  readonly name: string;
  /** Before everything else. */
  readonly opening?: string;
  /** `{title}` is the kind of trouble, in a few words. Not said where no trouble was named. */
  readonly incident?: string;
  /** `{symptom}` is one thing by which it was recognised; said for each. */
  readonly symptom?: string;
  /** `{fact}` is one thing that was tried before and what came of it; said for each. */
  readonly past?: string;
  /** `{step}` is the one thing to do next. */
  readonly step: string;
  /** `{reason}` is why. */
  readonly reason?: string;
  readonly closing?: string;
  /** Instead of a step, when the last one is reported to have helped. */
  readonly relief: string;
}
