import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';

const START_MILLISECONDS = 60_000;
/** Rarely: what asks too often slows down what it waits for. */
const ASK_MILLISECONDS = 100;

/** Resolves when an account of the inbound plugin answers: it starts after its gateway is ready. */
export async function awaitCard(gatewayUrl: string, path = '/.well-known/agent-card.json'): Promise<void> {
  await waitUntil(
    `the account with its card at ${path} to run`,
    async () => (await fetch(`${gatewayUrl}${path}`)).ok || pause(ASK_MILLISECONDS, false),
    START_MILLISECONDS,
  );
}
