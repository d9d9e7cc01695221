import { INCIDENT_KINDS, NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { endedIncident, readIncident } from '../incidents/read-incident.ts';
import { isPast, statementsOf } from '../incidents/statements.ts';
import type { Advice, Outcome } from '../incidents/advice-memory.ts';
import { stepOf } from './describe-advice.ts';
import { foreignOutcome } from './languages.ts';
import { doneBySender, namesStep, saysDone, saysNotDone, subjectOf } from './read-deeds.ts';

/** What a message reports about trouble for which a step was advised. */
export interface Report {
  readonly advice: Advice;
  /** What it says about the step, or about the trouble after it. `not_done` leaves the step open. */
  readonly result?: Outcome | 'not_done';
  /** What the sender did instead, in its own words, and what it says came of it. */
  readonly own?: { readonly action: string; readonly result: Outcome };
}

/**
 * Reads what a message reports about the steps that have no result yet, newest last. An outcome belongs to what the same message
 * says was done. It is tied to the step only if that is the step, or if the message says nothing else that was done.
 */
export function readReport(text: string, open: readonly Advice[]): Report | undefined {
  const newest = open.at(-1);
  if (newest === undefined) return undefined;
  const clauses = statementsOf(text)
    .filter(({ about, text: clause }) => about !== 'planned' && !isPast(clause))
    .map((statement) => statement.text);
  const { kind } = readIncident(text, []);
  // "The 429s are gone" is about the rate limit, whatever was advised since.
  const ended = clauses.map((clause) => endedIncident(clause)).find((each) => each !== undefined);
  const advice =
    open.findLast((each) => each.kind === (kind.isGeneral === true ? ended : (ended ?? kind))?.name) ??
    newest;
  // "The DNS issue is resolved" says nothing about the certificate.
  if (ended !== undefined && ended.isGeneral !== true && isSpecific(advice) && ended.name !== advice.kind)
    return undefined;
  const isOther = kind !== NO_INCIDENT && kind.isGeneral !== true && kind.name !== advice.kind;
  const isThere = kind !== NO_INCIDENT && !isOther;
  const outcome = outcomeIn(text, clauses, { isThere, isOther, hasEnded: ended?.name === advice.kind });
  const step = stepOf(advice);
  const isNamed = namesStep(text, clauses, step);
  // "Rolled back to 3.4.1, no change": that is the sender's own idea.
  const action = isNamed ? undefined : (subjectOf(clauses) ?? doneBySender(clauses));
  if (outcome !== undefined && action !== undefined) {
    const isOver = outcome === 'helped' || outcome === 'ended';
    return { advice, own: { action, result: outcome }, ...(isOver && { result: 'ended' as const }) };
  }
  if (outcome !== undefined && isClear(outcome)) return { advice, result: outcome };
  if (clauses.some((clause) => saysNotDone(clause, step))) return { advice, result: 'not_done' };
  if (clauses.some((clause) => DOES_NOT_FIT.test(clause))) return { advice, result: 'does_not_fit' };
  if (outcome !== undefined) return { advice, result: outcome };
  if (
    clauses.some((clause) => saysDone(clause, step)) ||
    (advice.step === 'send_error_text' && ERROR_TEXT.test(text))
  )
    return { advice, result: 'done' };
  return undefined;
}

function isSpecific({ kind }: Advice): boolean {
  return INCIDENT_KINDS.some(({ name, isGeneral }) => name === kind && isGeneral !== true);
}

/** Trouble that persists says nothing about a step that was not done. */
function isClear(outcome: Outcome): boolean {
  return outcome !== 'persists';
}

function outcomeIn(
  text: string,
  clauses: readonly string[],
  { isThere, isOther, hasEnded }: { isThere: boolean; isOther: boolean; hasEnded: boolean },
): Outcome | undefined {
  const says = (pattern: RegExp): boolean => clauses.some((clause) => pattern.test(clause));
  const foreign = foreignOutcome(text);
  if (says(FAILED) || foreign === 'did_not_help') return 'did_not_help';
  const hasHelped = says(HELPED) || foreign === 'helped';
  if ((hasHelped && (isThere || says(PARTLY))) || says(IMPROVED)) return 'helped_partly';
  if (says(NOT_FIXED) || (isThere && says(PERSISTS))) return 'persists';
  if (hasHelped) return 'helped';
  return !isThere && (hasEnded || foreign === 'ended' || (!isOther && says(ENDED))) ? 'ended' : undefined;
}

const FAILED =
  /^(?:(?:no|yes|ok|okay|and|so|but|well|sorry|unfortunately|sadly|also|now|then)\b,? ?){0,4}(?:(?:it|that|this|which|these|both|neither|nothing|the (?:last |first |second )?(?:step|advice|suggestion|fix|change|waiting|pause)|[a-z]+ing (?:\S+ ){0,6}|(?:i|we) tried (?:it|that|this) and it) ?)?(?:really |unfortunately |sadly |also |just ){0,2}(?:(?:did|does|do|has|have|had)(?: not|n't)|never|hardly|barely|changed nothing|made no|had no|made it worse|changed$|helped neither)(?: (?:really|seem to|actually|even|yet|at all|change|anything|made|make|had)){0,3}(?: (?:work|help|fix|solve|resolve|change|improve|make|made|difference|effect|impact)\w*(?! on\b)|$)|^(?:but |with |and )?no (?:change|effect|improvement|difference|luck|success|help)\b|\b(?:did not|didn't|does not|doesn't) help\b|\bto no avail\b|\bin vain\b|\bwithout (?:success|effect|any effect)\b|^nothing (?:has |really )?(?:changed|helped|worked)\b|\b(?:none|neither) of (?:it|that|this|them|these) (?:helped|worked)\b|\buseless\b/i;
const NOT_FIXED =
  /\b(?:not|n't) (?:yet |been |completely |really ){0,2}(?:fixed|solved|resolved)\b|\b(?:got |is |even |much )worse\b|^worse\b|\bsame (?:error|result|problem|issue|thing)\b|\b(?:fails?|failed|failing) again\b|\bstill (?:failing|fails|broken|stuck|the same|not|no|down|happening|there|occurs|happens|growing)\b/i;
const PERSISTS = /\b(?:still|again|keeps?|continues?|persists?|remains?|back)\b/i;
const PARTLY =
  /\b(?:(?:helped|worked|works|improved|better)(?: \w+)? (?:a (?:bit|little)|partly|partially|somewhat|slightly|for (?:a|one|some|\d+) \w+|only)|(?:partly|partially|slightly|somewhat|only) (?:helped|worked|better|improved)|less often|fewer (?:errors|failures|timeouts)|not (?:completely|fully|entirely))\b/i;
const IMPROVED =
  /^(?:(?:it|that)(?: is|'s) |now )?(?:a bit |a little |slightly |somewhat |much )?better\b|^(?:it|that) improved\b/i;
const HELPED =
  /^(?:(?:yes|ok|okay|great|thanks|thank you|good|and|so|now|then)\b,? ?){0,4}(?:it|that|this|which|the (?:last |first |second )?(?:step|advice|suggestion|fix|change|waiting|pause)|waiting|pausing)(?: (?:has|have|really|just|finally|all|step|did|indeed|partly|only|slightly)){0,3} (?:worked|helped|help|fixed (?:it|that|the \w+)|solved (?:it|that|the \w+)|did it|did the trick)\b|^(?:worked|helped)\b|\b(?:and|which|it|that) (?:helped|worked|fixed it|solved it|did the trick)\b|^[a-z]+ing (?:\S+ ){0,6}(?:helped|worked|fixed it|solved it)\b|^(?!nothing|none|neither).{3,60} (?:helped|fixed it|solved it|did the trick)$/i;
const ENDED =
  /^(?:(?:yes|ok|okay|great|thanks|good|and|so|now)\b,? ?){0,4}(?:(?:it|that|this|everything|all)(?: (?:now|finally|has|all)){0,2} (?:works|is (?:ok|okay|fine|fixed|solved|good|healthy|green|stable|working|up|back))\b|(?:fixed|solved|resolved|recovered|all good)(?: it| that| now| again|:)?$)|\b(?:is|are|was|were|has|have|been|got|be) (?:now |all |finally |been |completely ){0,3}(?:fixed|solved|recovered|gone|resolved(?! (?:to|as|by|from|into)\b))(?: \w+){0,2}$|\b(?:works?|working|runs?|running|succeeds?|responds?|responding) (?:\w+ )?(?:now|again|fine|normally|properly)\b|\b(?:problem|issue|incident|error|conflict|bug|outage|alert)s? (?:solved|fixed|resolved|gone)$|\b(?:upload|download|request|call|job|push|deploy|build|import|export|pipeline|retry)s? (?:has |have |now |is |are ){0,2}(?:succeeded|succeeds|went through|green)\b|\bfalse alarm\b|^never ?mind\b|^ignore (?:my|that|the) (?:last |previous )?(?:message|report)\b|\b(?:requests?|calls?|jobs?) (?:now )?succeed\b|\bback to normal\b|\b(?:stable|healthy|green|up|normal) (?:again|now)\b|\bno (?:more|further) (?:\w+ )?(?:errors?|problems?|failures?|timeouts?|restarts?|[45]\d\ds?)\b|\bno (?:errors?|restarts?|failures?) (?:for|since)\b|\bno longer (?:fail\w*|happen\w*|occur\w*|see|get|hang\w*)|\b(?:i|we)(?:'ve| have)? (?:fixed|solved|resolved) (?:it|that|the (?:problem|issue|error|incident))\b|\b(?:errors|failures|timeouts|problem) (?:have |has )?(?:stopped|disappeared|went away|ended)\b|\b(?:goes|went|got|getting) through (?:now|again)\b/i;
const DOES_NOT_FIT =
  /\b(?:does not|doesn't|do not|don't) (?:apply|fit|concern)\b|\bnot (?:applicable|relevant|our (?:problem|case)|possible here|what i (?:asked|meant))\b|\b(?:wrong|irrelevant) (?:advice|step|answer)\b|\b(?:cannot|can't|can not|could not|couldn't) (?:do|try|follow) (?:it|that|this|the step)\b/i;
/** What the text of an error looks like, whatever it says. */
const ERROR_TEXT = /[A-Za-z](?:Error|Exception)\b|\btraceback\b|\bexit code\b|\berrno\b|\bat \S{1,80}:\d/i;
