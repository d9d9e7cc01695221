import type { Target } from '../report/target.ts';

/** One thing that must not cost more as something grows: what was measured, and the promise about it. */
export interface GrowthMeasure {
  readonly figures: Readonly<Record<string, number>>;
  readonly target: Target;
}

export interface GrowthSizes {
  /** The later event whose cost is compared with that of event 50, and the length of the long journal to resume. */
  readonly events: number;
  readonly tasks: number;
  readonly subscribers: number;
  /** How often each side of a comparison is measured. */
  readonly samples: number;
}
