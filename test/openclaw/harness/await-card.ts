import { setTimeout as pause } from 'node:timers/promises';

const START_MILLISECONDS = 60_000;
/** Polling more often would slow down the start. */
const POLL_MILLISECONDS = 100;

/** Resolves when an account of the inbound plugin serves its card: it starts after its gateway is ready. */
export async function awaitCard(gatewayUrl: string, path = '/.well-known/agent-card.json'): Promise<void> {
  const deadline = Date.now() + START_MILLISECONDS;
  for (;;) {
    const response = await fetch(`${gatewayUrl}${path}`);
    if (response.ok) return;
    const found = `${response.status} ${await response.text()}`;
    if (Date.now() > deadline) throw new Error(`Expected a card at ${path}, found ${found}`);
    await pause(POLL_MILLISECONDS);
  }
}
