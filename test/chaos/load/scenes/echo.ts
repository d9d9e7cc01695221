import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** One send without a key, never repeated: at most one task, and if it is answered it is complete. */
export const echo: Scene = async (stage) => {
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  const { ledger } = stage;
  const task = ledger.answer(await client.send(messageRequest(`echo ${label} żółć 🂡`, label)));
  if (task.status.state !== 'TASK_STATE_COMPLETED') {
    ledger.violations.push(`an echo was answered with ${JSON.stringify(task.status)}`);
  }
};
