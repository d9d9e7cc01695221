import { messageRequest } from '../load/message-request.ts';
import type { Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';

/** Answers every task that waits for its user: each must be completed. Returns their number. */
export async function answerWaiting(client: Client, ledger: Ledger): Promise<number> {
  let answered = 0;
  for (let task = ledger.takeWaiting(); task !== undefined; task = ledger.takeWaiting()) {
    const { id, status } = ledger.response(
      await client.send(messageRequest('the last answer', `last-${task.id}`, { taskId: task.id })),
    );
    if (id !== task.id || status.state !== 'TASK_STATE_COMPLETED') {
      ledger.violations.push(`task ${task.id} was answered and is now ${id}, ${JSON.stringify(status)}`);
    }
    answered += 1;
  }
  return answered;
}
