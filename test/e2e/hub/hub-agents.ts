import type { Json, RunningHub } from './start-hub.ts';

/** A registered agent. */
export interface HubAgent {
  readonly agentId: string;
  readonly token: string;
  /** The session returned by its registration. */
  readonly sessionId: string;
  /** The identity headers. */
  readonly headers: Record<string, string>;
}

export async function registerAgent(
  hub: RunningHub,
  agentId: string,
  more: Json = {},
  headers: Record<string, string> = {},
): Promise<HubAgent> {
  const result = resultOf(await hub.rpc('agents/register', { agent_id: agentId, ...more }, headers));
  const { token } = result['identity_auth'] as { token: string };
  return {
    agentId,
    token,
    sessionId: String(result['session_id']),
    headers: { 'x-delx-agent-id': agentId, 'x-delx-agent-token': token },
  };
}

/** The parameters of `message/send` for a text. */
export function message(text: string): Json {
  return { message: { role: 'user', parts: [{ kind: 'text', text }] } };
}

export function resultOf({ body }: { body: Json }): Json {
  const { result } = body;
  if (typeof result !== 'object' || result === null) {
    throw new Error(`Expected a result, found ${JSON.stringify(body)}`);
  }
  return result as Json;
}

/** The error of a response. */
export function errorOf({ body }: { body: Json }): { code: number; data: Json; message: string } {
  const { error } = body;
  if (typeof error !== 'object' || error === null) {
    throw new Error(`Expected an error, found ${JSON.stringify(body)}`);
  }
  return error as { code: number; data: Json; message: string };
}
