import { messageRequest } from '../message-request.ts';
import { nextClient, type Scene } from '../stage.ts';

/** One send without a key, never repeated: at most one task, and if it is answered it is complete or was taken over. */
export const echo: Scene = async (stage) => {
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  const { ledger } = stage;
  const task = ledger.answer(await client.send(messageRequest(`echo ${label} żółć 🂡`, label)));
  const { state } = task.status;
  const wasTakenOver = stage.isShared === true && state === 'TASK_STATE_FAILED';
  if (state !== 'TASK_STATE_COMPLETED' && !wasTakenOver) {
    ledger.violations.push(`an echo was answered with ${JSON.stringify(task.status)}`);
  }
};
