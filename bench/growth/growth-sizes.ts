export interface GrowthSizes {
  /** The late event whose cost is compared with that of event 50, and the length of the long journal to resume. */
  readonly events: number;
  readonly tasks: number;
  readonly subscribers: number;
  /** How often each variant of a comparison is measured. */
  readonly samples: number;
}
