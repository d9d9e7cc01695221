import type { JsonObject } from '@holdword/protocol';
import { SESSION_PRECEDENCE, type ResolvedSession, type Session } from '../sessions/session.ts';

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

export function secondsBetween(from: number, until: number): number {
  return Math.max(0, Math.floor((until - from) / 1000));
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
