import type { Part } from '@holdword/protocol';
import { isOmitted, mediaPart } from '@holdword/runtime/internal/openclaw';
import type { HostMedia } from '../host/host-turn.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * What the agent sent beside its words, as parts of its answer: files of the given folders, and addresses. What cannot be
 * sent is said, without its path.
 */
export async function mediaParts(media: readonly HostMedia[], folders: readonly string[]): Promise<Part[]> {
  return Promise.all(
    media.map(async ({ reference, name }) => {
      const part = await mediaPart(reference, { folders, maxBytes: MAX_FILE_BYTES });
      if (isOmitted(part)) return { text: `[The file ${name ?? part.name} was left out: ${part.reason}.]` };
      return name === undefined ? part : { ...part, filename: name };
    }),
  );
}
