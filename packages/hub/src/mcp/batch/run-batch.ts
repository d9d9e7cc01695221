import { substituteReferences } from './substitute-references.ts';

/** One call of a batch. */
export interface BatchItem {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The result of a tool call or its error. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

export type BatchResult = { readonly index: number; readonly name: string } & ToolOutcome;

export interface BatchAnswer extends Record<string, unknown> {
  /** In the order of the calls; shorter if the batch stopped at a failure. */
  readonly results: readonly BatchResult[];
  readonly succeeded: number;
  readonly failed: number;
  readonly session_id: string | null;
}

export interface BatchOptions {
  readonly sessionId: string | undefined;
  /** Whether to continue after a failed call. */
  readonly continueOnError: boolean;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<ToolOutcome>;
}

export const MAX_BATCH_CALLS = 20;

/** Runs the calls sequentially, so that each can use earlier results. */
export async function runBatch(calls: readonly BatchItem[], options: BatchOptions): Promise<BatchAnswer> {
  const results: BatchResult[] = [];
  const earlier = new Map<string, Readonly<Record<string, unknown>>>();
  let { sessionId } = options;
  for (const [index, { name, arguments: given }] of calls.entries()) {
    const outcome = await callWith(given, { sessionId, results: earlier }, (input) =>
      options.call(name, input),
    );
    results.push({ index, name, ...outcome });
    if (outcome.ok) {
      earlier.set(name, outcome.result);
      const { session_id: found } = outcome.result;
      if (typeof found === 'string') sessionId ??= found;
    } else if (!options.continueOnError) break;
  }
  const succeeded = results.filter(({ ok }) => ok).length;
  return { results, succeeded, failed: results.length - succeeded, session_id: sessionId ?? null };
}

async function callWith(
  given: Readonly<Record<string, unknown>>,
  references: Parameters<typeof substituteReferences>[1],
  call: (input: Record<string, unknown>) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let input: Record<string, unknown>;
  try {
    input = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, substituteReferences(value, references)]),
    );
  } catch (error) {
    return { ok: false, error: { message: error instanceof Error ? error.message : String(error) } };
  }
  return call(input);
}
