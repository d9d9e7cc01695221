import { substituteReferences } from './substitute-references.ts';

/** One call of a batch. */
export interface BatchItem {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a tool gave, or why it gave nothing. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

export type BatchResult = { readonly index: number; readonly name: string } & ToolOutcome;

export interface BatchAnswer extends Record<string, unknown> {
  /** In the order of the calls; fewer of them when the batch was stopped by a failure. */
  readonly results: readonly BatchResult[];
  readonly succeeded: number;
  readonly failed: number;
  readonly session_id: string | null;
}

export interface BatchOptions {
  readonly sessionId: string | undefined;
  /** Whether calls after one that failed are still made. */
  readonly continueOnError: boolean;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<ToolOutcome>;
}

export const MAX_BATCH_CALLS = 20;

/** Makes the calls one after another, so that each can use what those before it gave. */
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
