import { messageRequest } from '../message-request.ts';
import { untilAnswered, type Scene } from '../stage.ts';

/** Some are left waiting, so that every restart finds tasks it must not touch. */
const LEFT_WAITING = 3;
/** Answers whoever asks for a word, and whoever asks for permission. */
const ANSWER = 'allow-once';

/** Answers the task that has waited longest, often over several restarts, under a key until the answer is taken. */
export const answer: Scene = async (stage) => {
  const { ledger } = stage;
  const waiting = ledger.waiting.size > LEFT_WAITING ? ledger.takeWaiting() : undefined;
  if (waiting === undefined) return;
  const key = stage.nextLabel();
  const request = messageRequest(ANSWER, key, { taskId: waiting.id });
  const task = ledger.answer(await untilAnswered(stage, (client) => client.send(request, key)));
  ledger.key(key, { taskId: task.id, request });
  const taken = task.history?.filter((message) => message.messageId === key).length;
  if (task.id !== waiting.id || taken !== 1) {
    ledger.violations.push(
      `the answer ${key} to task ${waiting.id} is there ${taken} times in task ${task.id}`,
    );
  }
};
