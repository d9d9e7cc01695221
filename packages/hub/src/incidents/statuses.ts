import type { Mention } from './is-asserted.ts';

const CODE = /(?<![\w.:/#$€-])([45]\d\d)(s?)(?![\w/%-]|[.:,]\d)/g;
/** Before a number that names or counts something. */
const NAMES_A_THING =
  /(?:\b(?:of|pr|mr|issue|ticket|lines?|page|port|version|build|batch|batches|rows?|steps?|items?|room|number|no|nr|id|took|about|than|all|only|first|last|task|order|customer|user|v|processed|imported|exported|passed|wrote)\.? |[~≈<>])$/i;
/** After a number that counts something: a unit, or a plural. */
const COUNTS =
  /^ (?:of|out of|ms|s|k|kb|mb|gb|seconds?|minutes?|hours?|percent|passed|passing|people)\b|^ (?:(?!(?:on|from|for|in|at|with|and|when|after|again|since|by|but|to|because|while|during|every|is|are|was|errors?|responses?|status\w*|answers?|replies|from)\b)[a-z-]+ )?(?!(?:errors|responses|statuses|answers|replies|is|was|has|as|this|always|across|us|depuis|dans|sans|des|les|las|los|desde|codes|failures|keeps|comes|happens|means)\b)[a-z]+s\b/i;
const SAYS_STATUS =
  /(?:\b(?:https?|status|codes?|errors?|returns?|returned|returning|got|gets?|getting|gives?|gave|see|seeing|answers?|answered|responds?|responded|replies|with|an?|still|again|it is|only) |[:(="'] ?|^)$/i;
const FOLLOWS_STATUS = /^ (?:errors?|internal|responses?|from|on|status|again)\b/i;
/** How much around a number is looked at. */
const NEAR = 48;

/** The numbers in a statement that are meant as these HTTP status codes. "500" is so often a count that it needs words that say so. */
export function statusesIn(clause: string, statuses: readonly number[]): Mention[] {
  return [...clause.matchAll(CODE)]
    .filter(({ 1: code }) => statuses.includes(Number(code)))
    .filter(({ index, 0: { length }, 1: code, 2: plural }) => {
      const before = clause.slice(Math.max(0, index - NEAR), index);
      const after = clause.slice(index + length, index + length + NEAR);
      if (NAMES_A_THING.test(before) || COUNTS.test(after)) return false;
      const isRound = code?.endsWith('00') === true && plural === '';
      return !isRound || SAYS_STATUS.test(before) || FOLLOWS_STATUS.test(after);
    })
    .map(({ index, 0: { length } }) => ({ clause, start: index, end: index + length }));
}
