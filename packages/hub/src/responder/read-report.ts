import { clausesOf, isPast } from '../incidents/clauses.ts';
import { NO_INCIDENT } from '../incidents/incident-kinds.ts';
import type { Step } from '../incidents/incident-kind.ts';
import { endedIncident, readIncident } from '../incidents/read-incident.ts';
import type { Advice, Outcome } from './advice-memory.ts';
import { stepOf } from './describe-advice.ts';
import { foreignOutcome } from './languages.ts';

/** What a message reports about a step that was advised. */
export interface Report {
  readonly advice: Advice;
  readonly result: Outcome;
}

/**
 * Reads what a message reports about the steps that have no result yet, newest last. A step helped only if the message says so
 * and does not name the same trouble as present; without a result, it was at most done.
 */
export function readReport(text: string, open: readonly Advice[]): Report | undefined {
  const newest = open.at(-1);
  if (newest === undefined) return undefined;
  const clauses = clausesOf(text).filter((clause) => !isPast(clause));
  const { kind } = readIncident(text, []);
  // "The 429s are gone" is about the rate limit, whatever was advised since.
  const ended = clauses.map((clause) => endedIncident(clause)).find((each) => each !== undefined);
  const advice =
    open.findLast((each) => each.kind === (kind.isGeneral === true ? ended : (ended ?? kind))?.name) ??
    newest;
  const isOther = kind !== NO_INCIDENT && kind.isGeneral !== true && kind.name !== advice.kind;
  const persists = kind !== NO_INCIDENT && !isOther;
  const foreign = foreignOutcome(text);
  if (clauses.some((clause) => FAILED.test(clause)) || foreign === 'did_not_help')
    return { advice, result: 'did_not_help' };
  if (persists && clauses.some((clause) => PERSISTS.test(clause))) return { advice, result: 'did_not_help' };
  const says = ended?.name === advice.kind || clauses.some((clause) => HELPED.test(clause));
  if (says || foreign === 'helped') return { advice, result: persists ? 'did_not_help' : 'helped' };
  const step = stepOf(advice);
  if (
    clauses.some((clause) => saysDone(clause, step)) ||
    (advice.step === 'send_error_text' && ERROR_TEXT.test(text))
  )
    return { advice, result: 'done' };
  return undefined;
}

const FAILED =
  /\b(?:did not|didn't|does not|doesn't|do not|don't|has not|hasn't|is not|isn't|was not|wasn't|not|never|nothing|hardly)\b(?: \w+){0,3} (?:work(?:ed|ing|s)?|help(?:ed|ing|s)?|fix(?:ed)?|solv(?:e|ed)|resolv(?:e|ed)|better|improv\w+|change[ds]?)\b(?! on\b)|\bno (?:change|effect|improvement|difference|luck|success|better|help)\b|\bto no avail\b|\bin vain\b|\b(?:got |is |even |much )worse\b|^worse\b|\bwithout (?:success|effect|any effect)\b|\bsame (?:error|result|problem|issue|thing)\b|\b(?:fails?|failed|failing) again\b|\bstill (?:failing|fails|broken|stuck|the same|not|no|down|happening|there|occurs|happens)\b|\buseless\b/i;
const PERSISTS = /\b(?:still|again|keeps?|continues?|persists?|remains?)\b/i;
const HELPED =
  /^(?:(?:yes|ok|okay|great|thanks|thank you|good|and|so|now)\b ?){0,4}(?:(?:it|that|this|the (?:last |first |second )?(?:step|advice|fix|change|waiting|pause)|everything|all|waiting|pausing) (?:has |have |really |just |finally |all |step |did |indeed ){0,3}(?:worked|works|helped|help|fixed (?:it|that|the \w+)|solved (?:it|that|the \w+)|did it|did the trick|is (?:ok|okay|fine|fixed|solved|good|healthy|green|stable|working|up|back)\b)|(?:fixed|solved|resolved|worked|helped|recovered|all good)(?: it| that| now| again)?$)|\b(?:is|are|was|were|has|have|been|got|be) (?:now |all |finally |been |completely ){0,3}(?:fixed|solved|recovered|gone|resolved(?! (?:to|as|by|from|into)\b))(?: \w+){0,2}$|\b(?:works|working|runs|running|succeeds?|responds?|responding) (?:\w+ )?(?:now|again|fine|normally|properly)\b|\b(?:problem|issue|incident|error)s? (?:solved|fixed|resolved|gone)$|^[a-z]+ing (?:\S+ ){1,6}(?:helped|worked)\b|\b(?:requests?|calls?|jobs?) (?:now )?succeed\b|\bback to normal\b|\b(?:stable|healthy|green|up|normal) again\b|\bno (?:more|further) (?:\w+ )?(?:errors?|problems?|failures?|timeouts?|[45]\d\ds?)\b|\bno longer (?:fail\w*|happen\w*|occur\w*|see|get|hang\w*)|\b(?:i|we)(?:'ve| have)? (?:fixed|solved|resolved) (?:it|that|the (?:problem|issue|error|incident))\b|\b(?:errors|failures|timeouts|problem) (?:have |has )?(?:stopped|disappeared|went away|ended)\b|\b(?:goes|went|got|getting) through (?:now|again)\b/i;

const DONE =
  /^(?:(?:yes|ok|okay|i|we|i've|we've|have|it is|it's|all|that is|that's|now|just)\b ?)*(?:did (?:it|that|so|this)|waited|done(?: (?:that|it|so|this))?|tried (?:it|that|this)|followed (?:it|that|the step)|completed (?:it|the step))$/i;
/** What the text of an error looks like, whatever it says. */
const ERROR_TEXT = /[A-Za-z](?:Error|Exception)\b|\btraceback\b|\bexit code\b|\berrno\b|\bat \S{1,80}:\d/i;
const BY_SENDER = /\b(?:i|we)(?:'ve| have| had)? (?:now |just |already )?\w+/i;
const NOT_DONE =
  /\b(?:not|n't|never|will|going to|would|should|cannot|can't|didn't|haven't|if|want to|plan to)\b|'ll\b/i;
/** So many words of a step in one statement of the sender say that it was done. */
const SHARED_WORDS = 2;

/** Whether a statement says that the sender did the step: "done", or with the words of the step. */
function saysDone(clause: string, step: Step | undefined): boolean {
  if (NOT_DONE.test(clause)) return false;
  if (DONE.test(clause)) return true;
  if (step === undefined || !BY_SENDER.test(clause)) return false;
  const known = stems(step.text);
  return [...stems(clause)].filter((stem) => known.has(stem)).length >= SHARED_WORDS;
}

/** The beginnings of the longer words, so that "stopped" is "stop" and "retries" is "retry". */
function stems(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, 4)));
}

const STATE =
  /^(?:(?:hi|hello|please|so|ok|okay|can you|could you)\b[,.]? ?)*(?:what(?:'s| is) (?:the (?:current )?(?:state|status)|open|pending|left|next)\b|what(?:'s| is) the next step\b|what (?:now|next)\b|where (?:are we|do we stand|do things stand|does this stand)\b|(?:give me |show (?:me )?)?(?:a |the )?(?:summary|recap|status)\??$|summari[sz]e\b|what should the next agent\b)/i;

/** Whether a message asks what stands and what is open, and reports nothing itself. */
export function asksForState(text: string): boolean {
  return STATE.test(text.slice(0, LONGEST_QUESTION).trim());
}
const LONGEST_QUESTION = 200;

const PROGRESS =
  /^\W*(?:\[[x ]\]|done|remaining|next|todo|completed|finished|status|progress|decisions?|decided|update|fyi|notes?|risks?|daily check-?in|check-?in|checking in|merged|deployed|released|started|working on)\b|\b(?:is|are|was|were|has been|have been|been) (?:now |already |all )?(?:merged|deployed|done|finished|completed?|released|shipped|uploaded|reviewed|green|live|passing|approved|closed|started|running|migrated|written|ready|empty|fixed|updated|tested|installed|sent|published)\b|^(?:i|we)(?:'ve| have|'m| am|'re| are)? (?:just |now |already )?(?:merged|deployed|finished|completed|released|shipped|uploaded|reviewed|started|migrated|wrote|written|added|removed|renamed|updated|fixed|tested|sent|published|created|configured|installed|continue|continuing|working|proceed)|\b(?:pass(?:ed|es|ing)?|no (?:new |more )?(?:errors|failures|problems|issues)|all good|on track|\d+ of \d+|rows|items|records)\b/i;

/** Whether a message reports progress: what was done, where things stand. */
export function isProgress(text: string): boolean {
  return text
    .slice(0, LONGEST_QUESTION * 10)
    .split('\n')
    .some((line) => PROGRESS.test(line.trim()) && !line.trim().endsWith('?'));
}
