import type { Message, Part, Task } from '@holdword/protocol';

/** What an agent answered, as one of the two forms of A2A. */
export type ReplyContent = { readonly message: Message } | { readonly task: Task };

/**
 * The words of an answer. Agents put them into artifacts, into the message of the status, or into both: each text counts
 * once. Only where there is neither, the last thing that the agent said before is taken.
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

/** Whether there is more in an answer than its words. */
export function hasMoreThanText(content: ReplyContent): boolean {
  if ('message' in content) return content.message.parts.some(isNoText);
  const { artifacts = [], status } = content.task;
  const messageParts = status.message?.parts ?? [];
  return [...artifacts.flatMap(({ parts }) => parts), ...messageParts].some(isNoText);
}

function isNoText({ text }: Part): boolean {
  return text === undefined;
}

export function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]));
}

function joined(texts: readonly string[]): string {
  return texts.join('\n\n');
}
