import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** Begins a task that stops with a question or a demand for credentials, and leaves it waiting. */
export const ask: Scene = async (stage) => {
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  const words = stage.random.pick(['ask me', 'login']);
  stage.ledger.wait(await client.send(messageRequest(`${words} #${label}`, label)));
};
