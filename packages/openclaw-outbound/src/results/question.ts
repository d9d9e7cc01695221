import { isQuestionDetail, questionDetails } from '@holdword/client/internal';
import { isInterrupted, type TaskStatus } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import type { Question } from '../contract.ts';
import { cutJson, cutText } from './foreign-text.ts';
import { textOf } from '../calls/reply.ts';

const MAX_TEXT_LENGTH = 4_000;
const MAX_SCHEMA_LENGTH = 4_000;

/** Whether data of a status message says more than its question does. */
export function saysMoreThanQuestion(data: unknown): boolean {
  return !isObject(data) || Object.keys(data).some((name) => !isQuestionDetail(name));
}

/** The question of a task that waits: its text, and what else the agent says about it. */
export function questionOf({ state, message }: TaskStatus): Question | undefined {
  if (!isInterrupted(state)) return undefined;
  const text = questionText(textOf(message?.parts ?? []));
  const kind = state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth-required' : 'input-required';
  const { choices, schema, expiresAt, url } = questionDetails(message);
  return {
    kind,
    ...(text !== '' && { text }),
    ...(choices && { choices }),
    ...(schema !== undefined && { schema: cutJson(schema, MAX_SCHEMA_LENGTH) }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(url !== undefined && { url }),
  };
}

/** The text of a status message as the text of a question. */
export function questionText(text: string): string {
  return cutText(text, MAX_TEXT_LENGTH);
}
