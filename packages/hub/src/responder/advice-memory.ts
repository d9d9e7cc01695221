import type { Store } from '@holdword/store';
import { z } from 'zod';

const adviceSchema = z.object({
  /** The kind of incident, and the advised step. */
  kind: z.string(),
  step: z.string(),
  sessionId: z.string(),
  taskId: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Errors in the last hour according to the newest heartbeat at that time. */
  errors: z.number().nullable(),
  outcome: z.object({ result: z.enum(['helped', 'did_not_help']), taskId: z.string() }).optional(),
});
/** A step that was advised to an agent, and the outcome it reported. */
export type Advice = z.infer<typeof adviceSchema>;
type Outcome = NonNullable<Advice['outcome']>['result'];

const ADVICE = 'hub-advice';
const MAX_STORED = 30;

/**
 * The advice given to each agent, newest last, in one bounded record. Outcomes are only what the agent itself reported,
 * with the task in which it did.
 */
export class AdviceMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Updates an agent's record atomically and returns the result of `change`. */
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

/** The last advice in a session, unless its outcome is known. */
export function pendingAdvice(advices: readonly Advice[], sessionId: string): Advice | undefined {
  const last = advices.findLast((advice) => advice.sessionId === sessionId);
  return last?.outcome === undefined ? last : undefined;
}

/** Returns the advice with the outcome of the pending one. */
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

const NEGATIVE =
  /\b(?:still|not|no|never|didn'?t|doesn'?t|isn'?t|hasn'?t|won'?t)\b[^.!?]{0,40}\b(?:work\w*|help\w*|fix\w*|solv\w*|resolv\w*|better|change\w*|fail\w*|broken|stuck|429|error\w*)|\bworse\b|\bsame (?:error|result|problem)\b|\b(?:fails?|failed|failing) again\b/i;
const POSITIVE =
  /\b(?:worked|works now|helped|fixed|solved|resolved|recovered|back to normal|stable again|all good|no more errors)\b/i;

/** Whether a message reports that the last step helped; undefined if it reports neither. */
export function readOutcome(text: string): Outcome | undefined {
  // "No more errors" is positive although it contains "no".
  if (/\bno more errors\b/i.test(text)) return 'helped';
  if (NEGATIVE.test(text)) return 'did_not_help';
  return POSITIVE.test(text) ? 'helped' : undefined;
}
