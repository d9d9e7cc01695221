import { startWebServer } from '@holdword/client/testing';
import type { AgentCard, ProtocolBinding, ProtocolVersion } from '@holdword/protocol';
import { BINDINGS, VERSIONS } from '../../support/drivers/driver.ts';
import type { TestAgent } from '../../support/test-agent.ts';

/** Serves a card on a separate origin until the test ends, and returns its URL. */
export async function startCardServer(card: AgentCard): Promise<string> {
  const { origin } = await startWebServer((_request, response) => response.end(JSON.stringify(card)));
  return `${origin}/card.json`;
}

export interface Wire {
  binding: ProtocolBinding;
  version: ProtocolVersion;
}

export const WIRES: Wire[] = VERSIONS.flatMap((version) => BINDINGS.map((binding) => ({ binding, version })));

/** The agent's card with only one interface, optionally on another port. */
export async function cardFor(
  agent: TestAgent,
  { binding, version }: Wire,
  port?: number,
): Promise<AgentCard> {
  const card = await fetchCard(`${agent.target.baseUrl}/.well-known/agent-card.json`);
  const supportedInterfaces = card.supportedInterfaces.filter(
    (each) => each.protocolBinding === binding && each.protocolVersion === version,
  );
  return port === undefined ? { ...card, supportedInterfaces } : move({ ...card, supportedInterfaces }, port);
}

/** The card at a URL with all interfaces on another port. */
export async function movedCard(url: string, port: number): Promise<AgentCard> {
  return move(await fetchCard(url), port);
}

async function fetchCard(url: string): Promise<AgentCard> {
  const answer = await fetch(url, { headers: { 'A2A-Version': '1.0' } });
  return (await answer.json()) as AgentCard;
}

function move(card: AgentCard, port: number): AgentCard {
  return {
    ...card,
    supportedInterfaces: card.supportedInterfaces.map((each) => ({
      ...each,
      url: each.url.replace(/:\d+/, `:${port}`),
    })),
  };
}

/** The port of a binding of the agent. */
export function portOf({ target }: TestAgent, binding: ProtocolBinding): number {
  const address = binding === 'GRPC' ? `http://${target.grpcAddress}` : target.baseUrl;
  return Number(new URL(address).port);
}
