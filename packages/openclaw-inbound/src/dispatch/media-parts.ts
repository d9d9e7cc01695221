import type { Part } from '@holdword/protocol';
import { isOmitted, mediaPart } from '@holdword/runtime/internal/openclaw';
import type { HostMedia } from '../host/host-turn.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * The media of an answer as parts: files from the given folders, and URLs. A file that cannot be sent is replaced by a note
 * without its path.
 */
export async function mediaParts(media: readonly HostMedia[], folders: readonly string[]): Promise<Part[]> {
  return Promise.all(
    media.map(async ({ reference, name }) => {
      const part = await mediaPart(reference, { folders, maxBytes: MAX_FILE_BYTES });
      if (isOmitted(part)) return { text: `[File ${name ?? part.name} omitted: ${part.reason}.]` };
      return name === undefined ? part : { ...part, filename: name };
    }),
  );
}
