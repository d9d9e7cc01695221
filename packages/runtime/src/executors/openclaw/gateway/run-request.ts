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
  /** The start of the gateway at which the run was handed over. */
  readonly bootId: string | undefined;
  /** When it was handed over. */
  readonly sentAt: number;
}

/** The gateway's own limit comes after ours, so that it is always ours that is reported. */
const SPARE_SECONDS = 30;

export function runRequest(
  turn: Turn,
  prompt: string,
  settings: OpenClawSettings,
  { bootId, defaultAgentId }: GatewayHello,
): RunRequest {
  const { agentId, thinking, timeout, sessionId: defaultSessionId } = settings;
  const sessionId = sessionIdOf(turn.contextId, { defaultSessionId, owner: turn.owner });
  // The key that OpenClaw itself gives the session of an id, from its command line too.
  const sessionKey = `agent:${agentId ?? defaultAgentId}:explicit:${sessionId}`;
  const runId = runIdOf(turn);
  return {
    runId,
    bootId,
    sentAt: Date.now(),
    sessionKey,
    params: {
      message: prompt,
      // Both: a run without the key is not stopped by an abort, and the command line does not know a session without the id.
      sessionKey,
      sessionId,
      thinking,
      idempotencyKey: runId,
      timeout: Math.ceil(timeout) + SPARE_SECONDS,
      ...(agentId !== undefined && { agentId }),
    },
  };
}

/** The same for every attempt at a turn, another one for each turn of a task. */
export function runIdOf({ taskId, message }: Turn): string {
  return `holdword-${taskId}-${message.messageId}`;
}
