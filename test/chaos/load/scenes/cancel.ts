import { WireError } from '../../../support/drivers/wire-error.ts';
import { messageRequest } from '../message-request.ts';
import { nextClient, untilAnswered, type Scene } from '../stage.ts';

/** A turn that would take an hour, cancelled. If the server was killed in between, it has failed by then instead. */
export const cancel: Scene = async (stage) => {
  const { ledger } = stage;
  const label = stage.nextLabel();
  const client = await nextClient(stage);
  const request = messageRequest(`wait 3600 #${label}`, label, { returnImmediately: true });
  const { id } = ledger.answer(await client.send(request));
  try {
    const task = ledger.answer(await untilAnswered(stage, (next) => next.cancelTask(id)));
    if (task.status.state !== 'TASK_STATE_CANCELED') {
      ledger.violations.push(`a cancellation was answered with ${JSON.stringify(task.status)}`);
    }
  } catch (error) {
    if (!(error instanceof WireError) || error.reason !== 'TASK_NOT_CANCELABLE') throw error;
  }
};
