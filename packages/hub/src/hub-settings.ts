import type { AlarmTarget } from './watch/alarm-outbox.ts';

/** What an operator may choose. */
export interface HubSettings {
  /** Whether anybody may register an agent. Unless given, that is so where the server has no keys of its own. */
  readonly openRegistration: boolean;
  /** Whether a session's times and figures are shown to whoever knows its id. */
  readonly publicStatus: boolean;
  /** Whether a heartbeat needs the token of its agent; without it one without a token is answered and not kept. */
  readonly strictHeartbeats: boolean;
  /** Calls of one address; 0 for as many as come. */
  readonly requestsPerMinute: number;
  /** The largest request. */
  readonly bodyBytes: number;
  /** How long a session lives after it was last used. */
  readonly sessionSeconds: number;
  /** How long after its last use a session is still continued without being named. */
  readonly idleSeconds: number;
  /** How often agents that miss their cadence are looked for; 0 for never. */
  readonly watchSeconds: number;
  /** Whether the open tasks of an agent that misses its cadence are offered to the agents of its controller. */
  readonly offerTasksOfMissing: boolean;
  /** Where an agent that misses its cadence is reported; nowhere without it. */
  readonly alarms?: AlarmTarget;
}

export const DEFAULT_HUB_SETTINGS: HubSettings = {
  openRegistration: false,
  publicStatus: true,
  strictHeartbeats: false,
  requestsPerMinute: 60,
  bodyBytes: 64 * 1024,
  sessionSeconds: 7 * 24 * 60 * 60,
  idleSeconds: 90 * 60,
  watchSeconds: 10,
  offerTasksOfMissing: true,
};
