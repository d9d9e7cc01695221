import { checkLimit } from '../../artifacts/artifact-settings.ts';
import { formatCount } from '../../artifacts/format-count.ts';
import type { Fittable } from './fittable.ts';

/** The size limit of a reply to a model. */
export interface ReplyBudget {
  /** Maximum size of the reply's JSON, in characters or in the unit of `count`. */
  readonly budget: number;
  /** Measures a text in another unit than characters, for example in tokens. */
  readonly count?: ((text: string) => number) | undefined;
}

/** Upper bound of characters per unit of `count`; more text is not considered. */
const MAX_CHARACTERS_PER_UNIT = 8;
/** Each attempt is at most this fraction of the previous one. */
const SHORTER = 0.97;

/** Fits a reply by the characters of its JSON. With another unit, the number of characters is reduced until it fits. */
export function fitIntoBudget<Reply>(pieces: Fittable<Reply>, options: ReplyBudget): Reply {
  const budget = checkLimit('budget', options.budget);
  const { count = (text: string) => text.length } = options;
  let characters = options.count === undefined ? budget : budget * MAX_CHARACTERS_PER_UNIT;
  // A small reply can be shorter than one that lists omissions.
  const minLength =
    pieces.minLength <= characters ? pieces.minLength : Math.min(pieces.minLength, pieces.fullLength());
  while (characters >= minLength) {
    const reply = pieces.fit(characters);
    const json = JSON.stringify(reply);
    const counted = count(json);
    if (counted <= budget) return reply;
    if (characters === minLength) break;
    const shorter = Math.min(characters, json.length) * (budget / counted) * SHORTER;
    characters = Math.max(minLength, Math.floor(shorter));
  }
  throw new Error(
    `The budget of ${formatCount(budget)} is too small for this reply: its ids need ` +
      `${formatCount(minLength)} characters. Raise the budget.`,
  );
}
