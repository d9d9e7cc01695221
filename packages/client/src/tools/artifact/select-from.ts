import { A2AError } from '@holdword/protocol';

/** Makes a selection; one that cannot be made is the caller's to correct. */
export function selectFrom<Selection>(select: () => Selection): Selection {
  try {
    return select();
  } catch (error) {
    throw new A2AError('INVALID_PARAMS', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
