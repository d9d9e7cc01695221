import { partSchema, type Part } from '@parley/protocol';
import type { Content } from '../executors/executor.ts';
import { TerminalError } from '../executors/executor-errors.ts';

/** The parts that an executor's content stands for. An agent that gives none, or a malformed one, is told so. */
export function partsOf(content: Content): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (parts.length === 0)
    throw new TerminalError('The agent gave content without parts; at least one is needed.');
  return parts.map((part) => {
    const accepted = partSchema.safeParse(part);
    if (accepted.success) return accepted.data;
    const issue = accepted.error.issues[0];
    throw new TerminalError(`The agent gave a malformed part: ${issue?.message ?? 'unknown reason'}.`);
  });
}
