export type Outcome = 'helped' | 'did_not_help';

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
