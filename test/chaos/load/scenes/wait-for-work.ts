import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** A turn that takes a second, waited for. */
export const waitForWork: Scene = async (stage) => {
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  stage.ledger.answer(await client.send(messageRequest(`wait 1 #${label}`, label)));
};
