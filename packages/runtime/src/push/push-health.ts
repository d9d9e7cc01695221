/** How notifications fare, as this process sees it. */
export interface PushHealth {
  enabled: boolean;
  /** Targets with events to come, or yet to arrive. */
  activeTargets: number;
  /** Those among them whose last attempt failed. */
  failingTargets: number;
  /** Targets that were given up. */
  deadTargets: number;
  /** How long the worst target has been failing. */
  longestFailureSeconds: number;
  /** Since the start of the process. */
  deliveredEvents: number;
  /** Since the start of the process. */
  failedAttempts: number;
}

export const PUSH_OFF: PushHealth = {
  enabled: false,
  activeTargets: 0,
  failingTargets: 0,
  deadTargets: 0,
  longestFailureSeconds: 0,
  deliveredEvents: 0,
  failedAttempts: 0,
};
