/** Settings of a hub. All of them have defaults, see {@link DEFAULT_HUB_SETTINGS}. */
export interface HubSettings {
  /**
   * Whether agents can register without an operator's credential.
   * @default `true` if the server requires no authentication, otherwise `false`
   */
  readonly openRegistration: boolean;
  /**
   * Whether anyone who knows a session id can read the times and counts of the session.
   * @default true
   */
  readonly publicStatus: boolean;
  /**
   * Whether a heartbeat requires the agent's token. If false, a heartbeat without a token is answered but not stored.
   * @default false
   */
  readonly strictHeartbeats: boolean;
  /**
   * Rate limit per remote address, for requests without the id and token of an agent in their headers, and without a
   * credential of the server; 0 disables it.
   * @default 60
   */
  readonly requestsPerMinute: number;
  /**
   * Rate limit per agent, and per caller with a credential of the server; 0 disables it.
   * @default 600
   */
  readonly agentRequestsPerMinute: number;
  /**
   * How many messages an agent can send per minute; 0 disables the limit.
   * @default 120
   */
  readonly messagesPerMinute: number;
  /**
   * How many heartbeats an agent can send per minute; 0 disables the limit.
   * @default 60
   */
  readonly heartbeatsPerMinute: number;
  /**
   * How many registrations a caller with a credential, an agent, or else an address can make per minute; 0 disables the limit.
   * @default 120
   */
  readonly registrationsPerMinute: number;
  /**
   * Maximum size of a request body in bytes.
   * @default 65536
   */
  readonly bodyBytes: number;
  /**
   * How long a session can be resumed after its last use, in seconds.
   * @default `604800` (7 days)
   */
  readonly sessionSeconds: number;
  /**
   * How long after its last use a session is resumed by requests that name no session, in seconds.
   * @default `5400` (90 minutes)
   */
  readonly idleSeconds: number;
  /**
   * How often to check for agents that missed their heartbeat, in seconds; 0 disables the check.
   * @default 10
   */
  readonly watchSeconds: number;
  /**
   * How often every agent that sends heartbeats is expected to give a sign of life, in seconds. An agent that declares
   * `cadence_seconds` overrides it.
   * @default learned from the agent's own heartbeats
   */
  readonly cadenceSeconds?: number;
  /**
   * How long an agent may be late after two missed beats before it is missing, in seconds.
   * @default 5
   */
  readonly graceSeconds: number;
  /**
   * Whether the open tasks of an agent that missed its heartbeat are offered to the other agents of its controller.
   * @default true
   */
  readonly offerTasksOfMissing: boolean;
  /**
   * How long the agent that writes hand-off packets may take before the packet of the rules is sent instead, in seconds.
   * @default 20
   */
  readonly packetSeconds: number;
  /**
   * How long the hub keeps records that are over.
   */
  readonly retention: HubRetentionSettings;
  /** Webhook that is called when an agent misses its heartbeat, and when it returns. Without it, both are only logged. */
  readonly alarms?: AlarmTarget;
}

/** How many hours the hub keeps records that are over; 0 keeps them forever. */
export interface HubRetentionSettings {
  /**
   * Sessions, after they expired.
   * @default 720
   */
  readonly sessionHours: number;
  /**
   * Hand-offs, after they finished, expired, or were withdrawn or declined.
   * @default 720
   */
  readonly handoffHours: number;
  /**
   * Alarms, after the last sign of life that they are about.
   * @default 720
   */
  readonly alarmHours: number;
  /**
   * The heartbeats of an agent, after its last sign of life.
   * @default 2160
   */
  readonly heartbeatHours: number;
  /**
   * Deleted agents, whose names are then free, and agents with a generated id that are no longer used. Both are kept while
   * they have tasks.
   * @default 2160
   */
  readonly agentHours: number;
}

/** The webhook that receives alarms. */
export interface AlarmTarget {
  /** Alarms are sent to this URL with POST. It can be a private address. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token?: string;
}

/** The default settings of a hub. `openRegistration` is false here; `createHub` turns it on if the server is open. */
export const DEFAULT_HUB_SETTINGS: HubSettings = {
  openRegistration: false,
  publicStatus: true,
  strictHeartbeats: false,
  requestsPerMinute: 60,
  agentRequestsPerMinute: 600,
  messagesPerMinute: 120,
  heartbeatsPerMinute: 60,
  registrationsPerMinute: 120,
  bodyBytes: 64 * 1024,
  sessionSeconds: 7 * 24 * 60 * 60,
  idleSeconds: 90 * 60,
  watchSeconds: 10,
  graceSeconds: 5,
  offerTasksOfMissing: true,
  packetSeconds: 20,
  retention: {
    sessionHours: 30 * 24,
    handoffHours: 30 * 24,
    alarmHours: 30 * 24,
    heartbeatHours: 90 * 24,
    agentHours: 90 * 24,
  },
};
