import { messageRequest } from '../message-request.ts';
import { nextClient, type Scenario } from '../load-context.ts';

/** One send without a key and without retries: at most one task, which is completed or was taken over. */
export const echo: Scenario = async (context) => {
  const label = context.nextLabel();
  const client = await nextClient(context);
  const { ledger } = context;
  const task = ledger.response(await client.send(messageRequest(`echo ${label} żółć 🂡`, label)));
  const { state } = task.status;
  const wasTakenOver = context.isShared === true && state === 'TASK_STATE_FAILED';
  if (state !== 'TASK_STATE_COMPLETED' && !wasTakenOver) {
    ledger.violations.push(`an echo returned ${JSON.stringify(task.status)}`);
  }
};
