/** A stretch of work of one agent. Its id is the `contextId` of the tasks in it. */
export interface Session {
  readonly sessionId: string;
  /** The only agent that may see it. */
  readonly agentId: string;
  /** Milliseconds since the epoch, as the two below. */
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** Where the session of a request was found. */
export interface SessionResolution {
  /** One of the precedence. */
  readonly source: SessionSource;
  /** What stood there; absent for a new session. */
  readonly value?: string;
}

export interface ResolvedSession {
  readonly session: Session;
  readonly resolution: SessionResolution;
  readonly isNew: boolean;
}

/** Where a session is looked for; the first place with a session of the agent wins. */
export const SESSION_PRECEDENCE = [
  'header x-delx-session-id',
  'params.session_id|sessionId',
  'params.contextId (UUID)',
  'metadata.session_id',
  'metadata.contextId (UUID)',
  'configuration.sessionId',
  'configuration.contextId (UUID)',
  'top-level contextId (UUID)',
  'contextId token map',
  'latest active session of agent',
  'new_session',
] as const;
export type SessionSource = (typeof SESSION_PRECEDENCE)[number];
