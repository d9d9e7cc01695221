import type { JsonObject, Part } from '@holdword/protocol';
import { isBareText, partSchema } from '@holdword/protocol/internal';
import type { Content } from '../executors/executor.ts';
import { TerminalError } from '../executors/executor-errors.ts';

/** The parts of an executor's content. Throws if the agent gave no parts or a malformed one. */
export function partsOf(content: Content): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (parts.length === 0)
    throw new TerminalError('The agent returned content without parts; at least one is required.');
  return parts.map((part) => {
    if (isBareText(part)) return { text: part.text };
    const accepted = partSchema.safeParse(part);
    if (accepted.success) return detachedPart(accepted.data);
    const issue = accepted.error.issues[0];
    throw new TerminalError(`The agent returned a malformed part: ${issue?.message ?? 'unknown reason'}.`);
  });
}

/** Metadata as it will be read back. Undefined stays undefined. */
export function metadataOf(metadata: JsonObject | undefined): JsonObject | undefined {
  return metadata === undefined ? undefined : (detached(metadata) as JsonObject);
}

function detachedPart(part: Part): Part {
  if (part.data !== undefined) part.data = detached(part.data);
  if (part.metadata !== undefined) part.metadata = detached(part.metadata) as JsonObject;
  return part;
}

/**
 * The value as the journal stores it. The agent may keep changing its own object, and what is shown from memory must
 * stay what was written.
 */
function detached(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (error) {
    throw new TerminalError('The agent returned content that cannot be encoded as JSON.', { cause: error });
  }
}
