import type { Store } from '@holdword/store';
import { z } from 'zod';
import type { Outcome } from './read-outcome.ts';

const adviceSchema = z.object({
  /** The kind of trouble, and the step that was advised. */
  kind: z.string(),
  step: z.string(),
  sessionId: z.string(),
  taskId: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Errors in the last hour by the heartbeat that was the newest then. */
  errors: z.number().nullable(),
  outcome: z.object({ result: z.enum(['helped', 'did_not_help']), taskId: z.string() }).optional(),
});
/** A step that was advised to an agent, and what the agent said of it since. */
export type Advice = z.infer<typeof adviceSchema>;

const ADVICE = 'hub-advice';
const MAX_STORED = 30;

/**
 * What was advised to each agent, the newest last, in one record of limited size. What helped is what the agent itself
 * has reported, with the task in which it did.
 */
export class AdviceMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Changes what is remembered of an agent, from what is remembered at that moment; gives what the change gave. */
  async change<Result extends { readonly advices: readonly Advice[] }>(
    agentId: string,
    change: (before: readonly Advice[]) => Result,
  ): Promise<Result> {
    for (;;) {
      const value = await this.#store.getRecord(ADVICE, agentId);
      const result = change(decode(value));
      const after = JSON.stringify(result.advices.slice(-MAX_STORED));
      if (await this.#store.replaceRecord(ADVICE, agentId, value, after)) return result;
    }
  }
}

/** The last advice of a session, unless its outcome is known. */
export function pendingAdvice(advices: readonly Advice[], sessionId: string): Advice | undefined {
  const last = advices.findLast((advice) => advice.sessionId === sessionId);
  return last?.outcome === undefined ? last : undefined;
}

/** The same with the outcome of the pending advice. */
export function withOutcome(
  advices: readonly Advice[],
  pending: Advice,
  result: Outcome,
  taskId: string,
): Advice[] {
  return advices.map((advice) =>
    advice.taskId === pending.taskId && advice.step === pending.step
      ? { ...advice, outcome: { result, taskId } }
      : advice,
  );
}

function decode(value: string | undefined): Advice[] {
  return value === undefined ? [] : z.array(adviceSchema).parse(JSON.parse(value));
}
