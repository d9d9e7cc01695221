import { A2AError } from '@holdword/protocol';

/** Runs a selection and converts its errors to INVALID_PARAMS. */
export function selectFrom<Selection>(select: () => Selection): Selection {
  try {
    return select();
  } catch (error) {
    throw new A2AError('INVALID_PARAMS', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
