import type { Json, RunningHub } from './start-hub.ts';

/** An agent that has registered. */
export interface HubAgent {
  readonly agentId: string;
  readonly token: string;
  /** The session that its registration began. */
  readonly sessionId: string;
  /** Prove who it is. */
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

/** What `message/send` says, as a text. */
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

/** The code of a refusal, and what goes with it. */
export function refusalOf({ body }: { body: Json }): { code: number; data: Json; message: string } {
  const { error } = body;
  if (typeof error !== 'object' || error === null) {
    throw new Error(`Expected an error, found ${JSON.stringify(body)}`);
  }
  return error as { code: number; data: Json; message: string };
}
