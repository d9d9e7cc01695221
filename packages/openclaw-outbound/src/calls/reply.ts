import type { Message, Part, Task, V03Event } from '@holdword/protocol';
import { coreMessageToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import type { EventLog } from './event-log.ts';

/** An agent's response to a call. */
export interface Reply {
  readonly content: ReplyContent;
  /** Whether the agent's card declares streaming. */
  readonly streaming: boolean | undefined;
  /** The events received, if the call followed updates. */
  readonly log?: EventLog | undefined;
}

/** An agent's answer: A2A allows a message or a task. */
export type ReplyContent = { readonly message: Message } | { readonly task: Task };

/** The answer in A2A 0.3 form. */
export function replyEvent(content: ReplyContent): V03Event {
  return 'task' in content
    ? coreTaskToV03(content.task, 'plain')
    : coreMessageToV03(content.message, 'plain');
}

/**
 * The text of an answer. Agents put it into artifacts, the status message, or both; a repeated text is included once. If there
 * is neither, the agent's last message in the history is used.
 */
export function replyText(content: ReplyContent): string {
  if ('message' in content) return joined(textsOf(content.message.parts));
  const { artifacts = [], status, history = [] } = content.task;
  const answers = artifacts.map(({ parts }) => joined(textsOf(parts)));
  if (status.message !== undefined) answers.push(joined(textsOf(status.message.parts)));
  const texts = [...new Set(answers.filter((text) => text !== ''))];
  if (texts.length > 0) return joined(texts);
  const last = history.findLast(({ role }) => role === 'ROLE_AGENT');
  return last === undefined ? '' : joined(textsOf(last.parts));
}

/** Whether an answer contains data or files. */
export function hasMoreThanText(content: ReplyContent): boolean {
  if ('message' in content) return content.message.parts.some(isNotText);
  const { artifacts = [], status } = content.task;
  const messageParts = status.message?.parts ?? [];
  return [...artifacts.flatMap(({ parts }) => parts), ...messageParts].some(isNotText);
}

function isNotText({ text }: Part): boolean {
  return text === undefined;
}

export function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]));
}

function joined(texts: readonly string[]): string {
  return texts.join('\n\n');
}

/** Some agents send an empty id for none. */
export function presentId(id: string | undefined): string | undefined {
  return id === '' ? undefined : id;
}
