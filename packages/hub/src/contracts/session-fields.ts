import type { JsonObject } from '@holdword/protocol';
import { SESSION_PRECEDENCE, type ResolvedSession, type Session } from '../sessions/session.ts';

/** After how many seconds of a session an agent should do something about it. */
export const SESSION_AGE_THRESHOLDS = { warmup: 300, reengage: 1800, summary: 21600, close: 86400 };

/** How an agent comes back to its session: machine-readable, the same in every answer. */
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

/** Which session it is and where it was found. */
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
