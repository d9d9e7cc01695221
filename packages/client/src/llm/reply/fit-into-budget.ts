import { checkLimit } from '../../artifacts/artifact-settings.ts';
import { formatCount } from '../../artifacts/format-count.ts';
import type { Fittable } from './fittable.ts';

export interface ReplyBudget {
  /** The most that the whole reply may have: characters of its JSON, or what `count` counts. */
  readonly budget: number;
  /** Counts something else in a text than its characters, for example tokens. */
  readonly count?: ((text: string) => number) | undefined;
}

/** What is counted instead of characters is hardly ever longer than this: no more text is looked at. */
const MAX_CHARACTERS_PER_UNIT = 8;
/** Each attempt is at least this much shorter than the one before. */
const SHORTER = 0.97;

/**
 * Replies are made to fit by the characters of their JSON. Where something else is counted, the number of characters is
 * brought down until the count is right.
 */
export function fitIntoBudget<Reply>(pieces: Fittable<Reply>, options: ReplyBudget): Reply {
  const budget = checkLimit('budget', options.budget);
  const { count = (text: string) => text.length } = options;
  let characters = options.count === undefined ? budget : budget * MAX_CHARACTERS_PER_UNIT;
  // A small reply is shorter than one that says what is left out.
  const least = pieces.least <= characters ? pieces.least : Math.min(pieces.least, pieces.wanted());
  while (characters >= least) {
    const reply = pieces.fit(characters);
    const json = JSON.stringify(reply);
    const counted = count(json);
    if (counted <= budget) return reply;
    if (characters === least) break;
    const shorter = Math.min(characters, json.length) * (budget / counted) * SHORTER;
    characters = Math.max(least, Math.floor(shorter));
  }
  throw new Error(
    `The budget of ${formatCount(budget)} is too small for this reply: its ids alone need ` +
      `${formatCount(least)} characters. Raise the budget.`,
  );
}
