import { messageRequest } from '../message-request.ts';
import { nextClient, type Scenario } from '../load-context.ts';

/** Sends several messages of one context without waiting: all turns but the first are queued. */
export const queueUp: Scenario = async (context) => {
  const contextId = context.nextLabel();
  for (const work of ['wait 1', 'echo', 'count to 20']) {
    const label = context.nextLabel();
    const client = await nextClient(context);
    const request = messageRequest(`${work} #${label}`, label, { contextId, returnImmediately: true });
    context.ledger.response(await client.send(request));
  }
};
