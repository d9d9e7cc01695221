import type { JsonObject } from '@holdword/protocol';
import type { Turn } from '../../executor.ts';
import type { OpenClawSettings } from '../openclaw-options.ts';
import { sessionIdOf } from '../session-id.ts';
import type { GatewayHello } from './gateway-connection.ts';

/** One turn as the gateway knows it. */
export interface RunRequest {
  readonly runId: string;
  /** The parameters of the gateway's method `agent`. */
  readonly params: JsonObject;
  readonly sessionKey: string;
  /** The boot of the gateway that the run was submitted to. */
  readonly bootId: string | undefined;
  /** When it was submitted. */
  readonly sentAt: number;
}

/** The timeout of the gateway is later than ours, so that ours is the one that is reported. */
const SPARE_SECONDS = 30;

export function runRequest(
  turn: Turn,
  prompt: string,
  settings: OpenClawSettings,
  { bootId, defaultAgentId }: GatewayHello,
): RunRequest {
  const { agentId, thinking, timeout, sessionId: defaultSessionId } = settings;
  const sessionId = sessionIdOf(turn.contextId, { defaultSessionId, owner: turn.owner });
  // The key that OpenClaw itself uses for a session id, on its command line as well.
  const sessionKey = `agent:${agentId ?? defaultAgentId}:explicit:${sessionId}`;
  const runId = runIdOf(turn);
  return {
    runId,
    bootId,
    sentAt: Date.now(),
    sessionKey,
    params: {
      message: prompt,
      // Both: without the key, an abort does not stop the run; without the id, the command line does not find the session.
      sessionKey,
      sessionId,
      thinking,
      idempotencyKey: runId,
      timeout: Math.ceil(timeout) + SPARE_SECONDS,
      ...(agentId !== undefined && { agentId }),
    },
  };
}

/** The same for every attempt at a turn, different for each turn of a task. */
export function runIdOf({ taskId, message }: Turn): string {
  return `holdword-${taskId}-${message.messageId}`;
}
