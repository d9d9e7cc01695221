import type { Task } from '@holdword/protocol';
import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** Begins a task that stops with a question or a demand for credentials, and leaves it waiting. */
export const ask: Scene = async (stage) => {
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  const words = stage.random.pick(['ask me', 'login']);
  const answer = await client.send(messageRequest(`${words} #${label}`, label));
  const { status } = JSON.parse(answer) as Task;
  if (stage.isShared === true && status.state === 'TASK_STATE_FAILED') stage.ledger.answer(answer);
  else stage.ledger.wait(answer);
};
