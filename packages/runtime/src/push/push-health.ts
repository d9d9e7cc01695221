/** The state of push notifications in this process. */
export interface PushHealth {
  enabled: boolean;
  /** Targets with events that are expected or not yet delivered. */
  activeTargets: number;
  /** Active targets whose last attempt failed. */
  failingTargets: number;
  /** Abandoned targets. */
  deadTargets: number;
  /** How long the target that fails longest has been failing. */
  longestFailureSeconds: number;
  /** Since the process started. */
  deliveredEvents: number;
  /** Since the process started. */
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
