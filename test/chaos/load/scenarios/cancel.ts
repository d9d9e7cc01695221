import { WireError } from '../../../support/drivers/wire-error.ts';
import { messageRequest } from '../message-request.ts';
import { nextClient, retryUntilAnswered, type Scenario } from '../load-context.ts';

/** Cancels a turn that would take an hour. If the server was killed in between, the task has already failed. */
export const cancel: Scenario = async (context) => {
  const { ledger } = context;
  const label = context.nextLabel();
  const client = await nextClient(context);
  const request = messageRequest(`wait 3600 #${label}`, label, { returnImmediately: true });
  const { id } = ledger.response(await client.send(request));
  try {
    const task = ledger.response(await retryUntilAnswered(context, (next) => next.cancelTask(id)));
    if (task.status.state !== 'TASK_STATE_CANCELED') {
      ledger.violations.push(`a cancellation returned ${JSON.stringify(task.status)}`);
    }
  } catch (error) {
    if (!(error instanceof WireError) || error.reason !== 'TASK_NOT_CANCELABLE') throw error;
  }
};
