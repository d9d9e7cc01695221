import type { Store } from '@holdword/store';
import { z } from 'zod';

/** What an agent reported about a step, or about the trouble after it. */
const OUTCOMES = [
  'helped',
  'helped_partly',
  'did_not_help',
  'done',
  'persists',
  'ended',
  'does_not_fit',
] as const;

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
  outcome: z.object({ result: z.enum(OUTCOMES), taskId: z.string() }).optional(),
});
/** A step that was advised to an agent, and the outcome it reported. */
export type Advice = z.infer<typeof adviceSchema>;
/** Only what was said: trouble that ended does not mean that the step ended it. Each but `ended` counts as tried. */
export type Outcome = (typeof OUTCOMES)[number];

/** By agent: the advice that it was given. */
export const ADVICE = 'hub-advice';
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

  /** The advice given to an agent, newest last. */
  async read(agentId: string): Promise<readonly Advice[]> {
    return decode(await this.#store.getRecord(ADVICE, agentId));
  }

  /** Updates an agent's record atomically and returns the result of `change`. */
  async change<Result extends { readonly advices: readonly Advice[] }>(
    agentId: string,
    change: (before: readonly Advice[]) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const value = await this.#store.getRecord(ADVICE, agentId);
      const result = await change(decode(value));
      const after = JSON.stringify(result.advices.slice(-MAX_STORED));
      if (await this.#store.replaceRecord(ADVICE, agentId, value, after)) return result;
    }
  }
}

/** The steps in a session that nothing was reported about, newest last. A newer step for the same incident replaces an older one. */
export function openAdvices(advices: readonly Advice[], sessionId: string): Advice[] {
  const here = advices.filter((advice) => advice.sessionId === sessionId);
  return here.filter(
    ({ kind, outcome }, index) =>
      outcome === undefined && here.findLastIndex((other) => other.kind === kind) === index,
  );
}

/** Returns the advices with what was reported about one of them in a task. */
export function withOutcome(
  advices: readonly Advice[],
  { advice, result }: { readonly advice: Advice; readonly result: Outcome },
  taskId: string,
): Advice[] {
  return advices.map((each) => (each === advice ? { ...each, outcome: { result, taskId } } : each));
}

/** Whether an outcome says that the trouble is over. */
export function isOver(result: Outcome | undefined): boolean {
  return result === 'helped' || result === 'ended';
}

function decode(value: string | undefined): Advice[] {
  return value === undefined ? [] : z.array(adviceSchema).parse(JSON.parse(value));
}
