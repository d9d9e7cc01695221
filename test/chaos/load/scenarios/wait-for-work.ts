import { messageRequest } from '../message-request.ts';
import { nextClient, type Scenario } from '../load-context.ts';

/** Waits for a turn that takes a second. */
export const waitForWork: Scenario = async (context) => {
  const label = context.nextLabel();
  const client = await nextClient(context);
  context.ledger.response(await client.send(messageRequest(`wait 1 #${label}`, label)));
};
