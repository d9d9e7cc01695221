import type { Task } from '@holdword/protocol';
import { messageRequest } from '../message-request.ts';
import { nextClient, type Scenario } from '../load-context.ts';

/** Starts a task that asks for input or credentials, and leaves it waiting. */
export const ask: Scenario = async (context) => {
  const label = context.nextLabel();
  const client = await nextClient(context);
  const words = context.random.pick(['ask me', 'login']);
  const answer = await client.send(messageRequest(`${words} #${label}`, label));
  const { status } = JSON.parse(answer) as Task;
  if (context.isShared === true && status.state === 'TASK_STATE_FAILED') context.ledger.response(answer);
  else context.ledger.wait(answer);
};
