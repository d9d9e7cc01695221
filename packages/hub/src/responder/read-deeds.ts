import type { Step } from '../incidents/incident-kind.ts';

/** Longer statements are cut where they are repeated. */
const LONGEST_ACTION = 100;

const NO_DEED =
  'failed(?! over)|fixed|solved|resolved|worked|helped|recovered|needed|timed|rejected|refused|killed|limited|throttled|blocked|closed|stopped working|tried (?:it|that|this)|changed nothing|noticed|reported|received|expected|wanted|hoped|looked|used|seemed|happened|occurred|crashed|expired|exceeded|denied|dropped out|stayed|remained|continued|increased again|experienced|observed|affected|caused|required|supposed|stuck|locked';
const DID = String.raw`(?!(?:${NO_DEED})\b)(?:[a-z]{2,}ed|set|ran|put|took|made|sent|cut|built|shut|gave|kept|rebuilt|rolled|undid|wrote|bought|split|reset|did a)`;
/** The sender did something, in its own words: "I restarted the pods", "Raised the limit to 1Gi". */
const BY_SENDER = new RegExp(
  String.raw`^(?:(?:ok|okay|yes|so|then|and|also|now|first|instead|meanwhile|after i|after we)\b,? ?){0,3}(?:(?:i|we|they|he|she|somebody|someone|my colleague|the team|ops)(?:'ve| have| had)? )?(?:now |just |already |also |then |only |manually ){0,3}${DID}\b`,
  'i',
);
/** Something was done to a thing: "redis-2 was restarted". */
const WAS_DONE = new RegExp(
  String.raw`\b(?:was|were|is|are|has been|have been|got) (?:now |just |already |all ){0,3}${DID}\b`,
  'i',
);
const FOREIGN_DEED =
  /(?<!\p{L})(?:j'ai|nous avons|(?:ich |wir )?haben?|he|hemos|eu|nós|ho|abbiamo)\s(?!(?:das|es|dies|pas|nicht|kein\p{L}*|ein|lo|noch)(?!\p{L}))\p{L}{2,}|(?<!\p{L})(?:reinici|aument|cambi|actualic)(?:é|amos)(?!\p{L})|再起動しました|重启了/iu;
const NOT_MEANT =
  /\b(?:not|never|will|going to|would|should|cannot|can't|if|want to|plan to|later|tomorrow)\b|n't\b|'ll\b/i;

/** What the message says that the sender did, in its own words. */
export function doneBySender(clauses: readonly string[]): string | undefined {
  const found = clauses.find(
    (clause) =>
      !NOT_MEANT.test(clause) &&
      (BY_SENDER.test(clause) || WAS_DONE.test(clause) || FOREIGN_DEED.test(clause)),
  );
  return found?.slice(0, LONGEST_ACTION);
}

const OUTCOME_OF =
  /^(.{3,60}?)(?: (?:has|have|had|also|really|finally|just|unfortunately)){0,3} (?:helped|worked|fixed it|fixed that|solved it|did the trick|(?:did not|didn't|does not|doesn't) (?:help|work|change anything)|changed nothing|made no difference|had no effect)\b/i;
/** Stands for what was advised. */
const STANDS_FOR_STEP =
  /^(?:(?:yes|ok|okay|great|thanks|thank you|good|no|and|so|but|now|then|well|sorry|unfortunately|sadly)\b,? ?)*(?:it|that|this|which|these|both|they|neither|nothing|everything|all|i tried (?:it|that) and it|the (?:last |first |second |advised )?(?:step|steps|advice|suggestion)|(?:my|your|the) (?:fix|change)|waiting|pausing|your (?:step|advice|suggestion))?(?: step)?$/i;

/** The subject of an outcome, if it is something else than the step: "The rollback helped", "Restarting redis fixed it". */
export function subjectOf(clauses: readonly string[]): string | undefined {
  return clauses
    .map((clause) => OUTCOME_OF.exec(clause)?.[1]?.trim())
    .find(
      (subject) =>
        subject !== undefined && !STANDS_FOR_STEP.test(subject) && !/["…]|\b(?:it|that|this)$/i.test(subject),
    );
}

/** So many words of a step in one statement are about that step. */
const SHARED_WORDS = 2;
const DID_STEP =
  /^(?:(?:yes|ok|okay|i|we|i've|we've|have|it is|it's|all|that is|that's|now|just)\b ?)*(?:did (?:it|that|so|this)|waited|done(?: (?:that|it|so|this))?|tried (?:it|that|this)(?: too)?|did (?:what|as) you (?:said|suggested|advised)|followed (?:it|that|the step|your advice)|completed (?:it|the step))(?: (?:now|already|and|but) ?.{0,60})?$/i;
/** So much of a step identifies it where it is quoted. */
const QUOTED = 24;

/** Whether a message is about the step: quotes it, says that it did it, or uses its words for what was done. */
export function namesStep(text: string, clauses: readonly string[], step: Step | undefined): boolean {
  if (step === undefined) return false;
  return (
    text.toLowerCase().includes(step.text.slice(0, QUOTED).toLowerCase()) ||
    clauses.some((clause) => DID_STEP.test(clause) || sharesWords(clause, step))
  );
}

/** Whether a statement says that the sender did the step: "done", or with the words of the step. */
export function saysDone(clause: string, step: Step | undefined): boolean {
  if (NOT_MEANT.test(clause)) return false;
  if (DID_STEP.test(clause)) return true;
  return step !== undefined && BY_SENDER.test(clause) && sharesWords(clause, step);
}

const NOT_YET =
  /(?:\b(?:have|had|has|did|could)(?: not|n't)|\bnot)(?: yet)? (?:done|tried|do|try|started|followed|got(?:ten)? to|been able|looked|checked|begun|had time|found time)(?: (?:it|that|this|so|anything|the step|to))?\b|^(?:no,? )?not yet\b|\b(?:will|'ll|going to) (?:do|try) (?:it|that|this|so)\b/i;

/** Whether a statement says that the step is not done: in general, or with the words of the step. */
export function saysNotDone(clause: string, step: Step | undefined): boolean {
  if (NOT_YET.test(clause)) return true;
  return (
    step !== undefined && NOT_MEANT.test(clause) && /\b(?:i|we)\b/i.test(clause) && sharesWords(clause, step)
  );
}

function sharesWords(clause: string, step: Step): boolean {
  const known = stems(step.text);
  return [...stems(clause)].filter((stem) => known.has(stem)).length >= SHARED_WORDS;
}

/** The numbers, and the beginnings of the longer words, so that "stopped" is "stop" and "retries" is "retry". */
function stems(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[a-z]{4,}|\d+/g) ?? []).map((word) => word.slice(0, 4)));
}
