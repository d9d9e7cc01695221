import { currentClauses } from './clauses.ts';
import type { IncidentKind, Symptom } from './incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognized by, in a form that can be verified. */
  readonly symptoms: readonly string[];
}

/** Classifies an incident by the message or, if it describes none, by the agent's last heartbeat. */
export function readIncident(text: string, reported: readonly Symptom[]): Incident {
  const symptoms = reported.map((symptom) => symptom.text);
  const clauses = currentClauses(text);
  for (const kind of INCIDENT_KINDS) {
    const said = firstIn(clauses, (clause) => troubleIn(clause, kind)?.words);
    if (said !== undefined) return { kind, symptoms: [`your message says "${said}"`, ...symptoms] };
  }
  const kind = INCIDENT_KINDS.find(({ metric }) => reported.some((symptom) => symptom.metric === metric));
  return { kind: kind ?? NO_INCIDENT, symptoms };
}

/** The kind of trouble that a statement says is over: "the 429s are gone". */
export function endedIncident(clause: string): IncidentKind | undefined {
  return INCIDENT_KINDS.find(
    (kind) => mentionsOf(clause, kind).length > 0 && troubleIn(clause, kind) === undefined,
  );
}

function firstIn<Result>(
  clauses: readonly string[],
  find: (clause: string) => Result | undefined,
): Result | undefined {
  for (const clause of clauses) {
    const found = find(clause);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Mention {
  readonly words: string;
  readonly before: string;
  readonly after: string;
}

/** The first mention of a kind that says it is there now: not that it is absent, over, or provided for. */
function troubleIn(clause: string, kind: IncidentKind): Mention | undefined {
  if (NO_MORE.test(clause)) return undefined;
  return mentionsOf(clause, kind).find(
    ({ before, after }) => !ABSENT.test(before) && !PROVIDED_FOR.test(before) && !OVER.test(after),
  );
}

/** How much around a mention is looked at. */
const NEAR = 48;

function mentionsOf(clause: string, { words, except, statuses = [] }: IncidentKind): Mention[] {
  const matches = [...(words === undefined ? [] : clause.matchAll(new RegExp(words, 'gi')))];
  return [
    ...matches
      .map((match) => around(clause, match.index, match[0]))
      .filter(
        ({ before, words: found, after }) =>
          except?.test(`${found}${after}`) !== true && except?.test(before) !== true,
      ),
    ...(statuses.length === 0
      ? []
      : statusesIn(clause).filter(({ words: code }) => statuses.includes(Number(code)))),
  ];
}

function around(clause: string, index: number, words: string): Mention {
  const end = index + words.length;
  return {
    words,
    before: clause.slice(Math.max(0, index - NEAR), index),
    after: clause.slice(end, end + NEAR),
  };
}

const ABSENT =
  /(?:\b(?:no|zero|without|never|nor|not an?|isn't an?|wasn't an?|free of)|(?<![\d.,])0|\b(?:0|no|none) of (?:the )?\d+)(?: (?:any|more|new|other|single|further|longer|open|active))*(?: \w+)? $/i;
/** A whole statement that something is not there. */
const NO_MORE = /\b(?:not|n't|nothing|none)\b.{0,60}\bany ?more\b|^nothing (?:is|was) (?!work)/i;
const PROVIDED_FOR =
  /\b(?:fixed|solved|repaired|handl(?:e|es|ed|ing)(?: of| for)?|avoid(?:s|ed|ing)?|prevent(?:s|ed|ing)?|against|in case of|tests? for|support for|docs? (?:about|on|for)|reproduce|simulat(?:e|ed|es|ing))(?: an?| the)?(?: \w+)? $/i;
const OVER =
  /^(?:'?s)?(?: \w+)?(?: (?:is|are|was|were|has|have|had|got|been|be|now|all|also|finally|completely|already))* (?:gone|fixed|solved|over|empty|cleared|closed|stopped|disappeared|went away|under control|resolved(?! to))\b/i;

const CODE = /(?<![\w.:/#$€-])([45]\d\d)(s?)(?![\w/%-]|[.:,]\d)/g;
/** Before a number that names or counts something. */
const NAMES_A_THING =
  /(?:\b(?:of|pr|mr|issue|ticket|lines?|page|port|version|build|batch|batches|rows?|steps?|items?|room|number|no|nr|id|took|about|than|all|only|first|last|task|order|customer|user|v|processed|imported|exported|passed|wrote)\.? |[~≈<>])$/i;
/** After a number that counts something: a unit, or a plural. */
const COUNTS =
  /^ (?:of|out of|ms|s|k|kb|mb|gb|seconds?|minutes?|hours?|percent|passed|passing|people)\b|^ (?:(?!(?:on|from|for|in|at|with|and|when|after|again|since|by|but|to|because|while|during|every|is|are|was|errors?|responses?|status\w*|answers?|replies|from)\b)[a-z-]+ )?(?!(?:errors|responses|statuses|answers|replies|is|was|has|as|this|always|across|us|codes|failures|keeps|comes|happens|means)\b)[a-z]+s\b/i;
const SAYS_STATUS =
  /(?:\b(?:https?|status|codes?|errors?|returns?|returned|returning|got|gets?|getting|gives?|gave|see|seeing|answers?|answered|responds?|responded|replies|with|an?|still|again|it is|only) |[:(="'] ?|^)$/i;
const FOLLOWS_STATUS = /^ (?:errors?|internal|responses?|from|on|status|again)\b/i;

/** The numbers in a statement that are meant as HTTP status codes. "500" is so often a count that it needs words that say so. */
function statusesIn(clause: string): Mention[] {
  return [...clause.matchAll(CODE)]
    .map((match) => ({
      ...around(clause, match.index, match[0]),
      words: match[1] ?? '',
      isPlural: match[2] !== '',
    }))
    .filter(({ before, after, words, isPlural }) => {
      if (NAMES_A_THING.test(before) || COUNTS.test(after)) return false;
      return isPlural || !words.endsWith('00') || SAYS_STATUS.test(before) || FOLLOWS_STATUS.test(after);
    });
}
