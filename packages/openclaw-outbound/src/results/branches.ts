import type { JsonObject } from '@holdword/protocol';
import { failure } from './envelope.ts';
import type { Outcome } from './outcome.ts';

/** One of several parallel operations of a call. */
export interface Branch {
  /** Identifies the branch in the result. */
  readonly label: JsonObject;
  readonly result: { readonly outcome: Outcome } | { readonly error: unknown };
}

export async function branchOf(label: JsonObject, run: Promise<Outcome>): Promise<Branch> {
  try {
    return { label, result: { outcome: await run } };
  } catch (error) {
    return { label, result: { error } };
  }
}

export function succeeded({ result }: Branch): boolean {
  return 'outcome' in result;
}

/** Each branch with its summary or its error. */
export function describeBranches(branches: readonly Branch[]): JsonObject[] {
  return branches.map(({ label, result }) =>
    'outcome' in result
      ? { ...label, ok: true, summary: result.outcome.summary }
      : { ...label, ok: false, error: failure('', result.error).error },
  );
}

export function branchesOutcome(summary: JsonObject, branches: readonly Branch[]): Outcome {
  return {
    summary: { ...summary, branches: describeBranches(branches) },
    raw: branches.map(({ result }) => ('outcome' in result ? result.outcome.raw : null)),
    replies: branches.map(({ result }) => ('outcome' in result ? result.outcome.replies[0] : undefined)),
  };
}
