import { messageRequest } from '../message-request.ts';
import { retryUntilAnswered, type Scenario } from '../load-context.ts';

/** Some tasks stay waiting, so that every restart finds tasks it must not touch. */
const LEFT_WAITING = 3;
/** A valid answer both to a question and to a request for permission. */
const ANSWER = 'allow-once';

/** Answers the task that has waited longest, often across restarts, retrying with a key until it is accepted. */
export const answer: Scenario = async (context) => {
  const { ledger } = context;
  const waiting = ledger.waiting.size > LEFT_WAITING ? ledger.takeWaiting() : undefined;
  if (waiting === undefined) return;
  const key = context.nextLabel();
  const request = messageRequest(ANSWER, key, { taskId: waiting.id });
  const task = ledger.response(await retryUntilAnswered(context, (client) => client.send(request, key)));
  ledger.key(key, { taskId: task.id, request });
  const taken = task.history?.filter((message) => message.messageId === key).length;
  if (task.id !== waiting.id || taken !== 1) {
    ledger.violations.push(
      `the answer ${key} to task ${waiting.id} appears ${taken} times in task ${task.id}`,
    );
  }
};
