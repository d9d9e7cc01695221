import { A2AError } from '@holdword/protocol';
import type { Owner } from '../owner.ts';
import { unauthenticated } from './auth/authentication.ts';

/** Returns the card for authenticated callers, or undefined while there is none. */
export type ExtendedCardSource = (owner: Owner) => Promise<unknown>;

/** Handles GetExtendedAgentCard. Without a source, the public card does not declare the operation. */
export async function readExtendedCard(
  source: ExtendedCardSource | undefined,
  owner: Owner,
): Promise<unknown> {
  if (source === undefined) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      'This agent has no extended card. Its public card is at /.well-known/agent-card.json.',
    );
  }
  if (!owner.authenticated) {
    throw unauthenticated('The extended agent card requires authentication. Send a credential.');
  }
  const card = await source(owner);
  if (card === undefined) {
    throw new A2AError(
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
      'The extended agent card is not configured. Use the public card, or ask the operator of this agent.',
    );
  }
  return card;
}
