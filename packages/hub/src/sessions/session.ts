import type { JsonObject } from '@holdword/protocol';
import { isoTime, secondsBetween } from '../wire/times.ts';

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

/** Session ages, in seconds, at which an agent should take the named action. */
export const SESSION_AGE_THRESHOLDS = { warmup: 300, reengage: 1800, summary: 21600, close: 86400 };

/** How to resume the session, in machine-readable form; the same in every answer. */
export function sessionPersistence(sessionId: string): JsonObject {
  return {
    persist_session_id: true,
    reuse_on_next_call: true,
    how: {
      header: `x-delx-session-id: ${sessionId}`,
      params: { session_id: sessionId },
      configuration: { sessionId },
      mcp_header: `x-delx-session-id: ${sessionId}`,
    },
  };
}

export function sessionTimes({ startedAt, expiresAt }: Session, now: number): JsonObject {
  return {
    session_started_at: isoTime(startedAt),
    session_expires_at: isoTime(expiresAt),
    session_age_seconds: secondsBetween(startedAt, now),
    session_age_thresholds_seconds: SESSION_AGE_THRESHOLDS,
  };
}

/** Which session was used and how it was found. */
export function sessionResolution({ resolution }: ResolvedSession): JsonObject {
  return {
    source: resolution.source,
    value: resolution.value ?? null,
    precedence: SESSION_PRECEDENCE,
  };
}
