import { createHash } from 'node:crypto';
import { isInterrupted, type TaskStatus } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';

export const askedQuestionSchema = z.object({
  state: taskStateSchema,
  timestamp: z.string().optional(),
  messageId: z.string().optional(),
  /** A digest of the parts. */
  content: z.string().optional(),
});
/** What tells a question from others that an agent asks in the same task. Short, so that it can be kept. */
export type AskedQuestion = z.infer<typeof askedQuestionSchema>;

/** The question of a task that waits for input or credentials; undefined in any other state. */
export function questionOf({ state, timestamp, message }: TaskStatus): AskedQuestion | undefined {
  if (!isInterrupted(state)) return undefined;
  return {
    state,
    ...(timestamp !== undefined && { timestamp }),
    // Agents that do not number their messages send an empty id.
    ...(message !== undefined && message.messageId !== '' && { messageId: message.messageId }),
    ...(message !== undefined && { content: digestOf(message.parts) }),
  };
}

/**
 * Whether a task still shows the question that was just answered. An agent that has taken the answer may report its old state
 * until it gets to work: that is not a new question, so the task is followed until it changes.
 */
export function isStillAsking(before: TaskStatus, after: TaskStatus): boolean {
  const [asked, found] = [questionOf(before), questionOf(after)];
  return asked !== undefined && found !== undefined && isSameQuestion(asked, found);
}

/** Compares what is known of both. A question that shares nothing with the other but its state is the same if both are empty. */
export function isSameQuestion(asked: AskedQuestion, found: AskedQuestion): boolean {
  if (asked.state !== found.state) return false;
  const shared = (['timestamp', 'messageId', 'content'] as const).filter(
    (field) => asked[field] !== undefined && found[field] !== undefined,
  );
  if (shared.length === 0) return Object.keys(asked).length === 1 && Object.keys(found).length === 1;
  return shared.every((field) => asked[field] === found[field]);
}

function digestOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
