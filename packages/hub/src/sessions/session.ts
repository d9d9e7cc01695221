/** A conversation of one agent with the hub. Its id is the `contextId` of its tasks. */
export interface Session {
  readonly sessionId: string;
  /** The only agent that can see it. */
  readonly agentId: string;
  /** Milliseconds since the epoch, like the two below. */
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** How the session of a request was found. */
export interface SessionResolution {
  /** One of SESSION_PRECEDENCE. */
  readonly source: SessionSource;
  /** The value that was found there; absent for a new session. */
  readonly value?: string;
}

export interface ResolvedSession {
  readonly session: Session;
  readonly resolution: SessionResolution;
  readonly isNew: boolean;
}

/** The sources of a session id; the first one that names a session of the agent wins. */
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
