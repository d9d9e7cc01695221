import { type AgentConnection, joinChunks } from '@holdword/client/internal';
import type { Message, Part, Task, V03Event } from '@holdword/protocol';
import { coreMessageToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import type { EventLog } from './event-log.ts';

/** An agent's response to a call. */
export interface Reply {
  readonly content: ReplyContent;
  /** Whether the agent's card declares streaming. */
  readonly streaming: boolean | undefined;
  /** Whether the agent merges streamed text, so that several text parts of an artifact are separate texts. */
  readonly mergesText: boolean;
  /** Whether the task still shows the question that the message answered. */
  readonly isAnswered?: boolean | undefined;
  /** The events received, if the call followed updates. */
  readonly log?: EventLog | undefined;
}

/** An agent's answer: A2A allows a message or a task. */
export type ReplyContent = { readonly message: Message } | { readonly task: Task };

export function replyFrom(
  { card, extensions }: Pick<AgentConnection, 'card' | 'extensions'>,
  content: ReplyContent,
  details: Pick<Reply, 'isAnswered' | 'log'> = {},
): Reply {
  // Holdword merges appended text, which the resume extension tells. Others keep every chunk as a part.
  return { content, streaming: card.capabilities.streaming, mergesText: extensions.resume, ...details };
}

/** The answer in A2A 0.3 form. */
export function replyEvent(content: ReplyContent): V03Event {
  return 'task' in content
    ? coreTaskToV03(content.task, 'plain')
    : coreMessageToV03(content.message, 'plain');
}

/**
 * The text of an answer. Agents put it into artifacts, the status message, or both; a repeated text is included once. If there
 * is neither, the agent's last message in the history is used, unless the user has answered it.
 */
export function replyText({
  content,
  mergesText,
  isAnswered,
}: Pick<Reply, 'content' | 'mergesText' | 'isAnswered'>): string {
  if ('message' in content) return textOf(content.message.parts);
  const { artifacts = [], status, history = [] } = content.task;
  const answers = artifacts.map(({ parts }) => textOf(mergesText ? parts : joinChunks(parts)));
  if (isAnswered !== true) answers.push(textOf(status.message?.parts ?? []));
  const texts = [...new Set(answers.filter((text) => text !== ''))];
  if (texts.length > 0) return texts.join(SEPARATOR);
  const last = history.at(-1);
  return last?.role === 'ROLE_AGENT' && isAnswered !== true ? textOf(last.parts) : '';
}

const SEPARATOR = '\n\n';

/** Separate texts, as paragraphs. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text])).join(SEPARATOR);
}

/** The parts of an answer, without those of its history. */
export function replyParts(content: ReplyContent): readonly Part[] {
  if ('message' in content) return content.message.parts;
  const { artifacts = [], status } = content.task;
  return [...artifacts.flatMap(({ parts }) => parts), ...(status.message?.parts ?? [])];
}
