import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** Several turns of one context, acknowledged before they run: all but the first wait in the queue. */
export const queueUp: Scene = async (stage) => {
  const contextId = stage.nextLabel();
  for (const work of ['wait 1', 'echo', 'count to 20']) {
    const label = stage.nextLabel();
    const client = await nextClient(stage);
    const request = messageRequest(`${work} #${label}`, label, { contextId, returnImmediately: true });
    stage.ledger.answer(await client.send(request));
  }
};
