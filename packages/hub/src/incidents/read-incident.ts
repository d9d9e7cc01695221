import type { IncidentKind, Symptom } from './incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';
import { isAssertedAction, isAssertedTrouble, isSettled, type Mention } from './is-asserted.ts';
import { isContrast, isPast, statementsOf, type Statement } from './statements.ts';
import { statusesIn } from './statuses.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognized by, in a form that can be verified. */
  readonly symptoms: readonly string[];
  /** A dangerous action to warn of, while the message is about something else. */
  readonly danger?: Incident | undefined;
  /** Trouble that the message also names, while an action must be stopped first. */
  readonly besides?: Incident | undefined;
}

/** Classifies an incident by the message or, if it describes none, by the agent's last heartbeat. */
export function readIncident(text: string, reported: readonly Symptom[]): Incident {
  const symptoms = reported.map((symptom) => symptom.text);
  const said = saidIn(text);
  if (said !== undefined) return { ...said, symptoms: [...said.symptoms, ...symptoms] };
  const kind = INCIDENT_KINDS.find(({ metric }) => reported.some((symptom) => symptom.metric === metric));
  return { kind: kind ?? NO_INCIDENT, symptoms };
}

function isNow({ text }: Statement): boolean {
  return !isPast(text);
}

/** What a message says is wrong now. What happened before only explains trouble that is there now. */
function saidIn(text: string): Incident | undefined {
  const statements = statementsOf(text);
  // "The build was red, I pinned the version and it is green now."
  const settled = statements.findLastIndex((each) => isNow(each) && isSettled(each.text));
  const open = statements.filter(({ about }, index) => about === 'now' && index > settled);
  const present = open.filter(isNow);
  const kinds = INCIDENT_KINDS.filter(({ isAction }) => isAction !== true);
  const now = findIncident(present, kinds);
  const isVague = now?.kind.isGeneral === true && !present.some(({ text: clause }) => isContrast(clause));
  const trouble = isVague ? (findIncident(open, kinds) ?? now) : now;
  const planned = statements.filter((each) => each.about !== 'done' && isNow(each));
  const [action, danger] = INCIDENT_KINDS.filter(({ isAction }) => isAction === true).flatMap(
    (kind) => findIncident(planned, [kind]) ?? [],
  );
  if (action === undefined) return trouble;
  if (trouble === undefined || trouble.kind.isGeneral === true) return { ...action, danger };
  const isFirst = INCIDENT_KINDS.indexOf(trouble.kind) < INCIDENT_KINDS.indexOf(action.kind);
  return isFirst || action.kind.isProtection === true
    ? { ...trouble, danger: action }
    : { ...action, danger, besides: trouble };
}

function findIncident(
  statements: readonly Statement[],
  kinds: readonly IncidentKind[],
): Incident | undefined {
  for (const kind of kinds) {
    for (const { text } of statements) {
      const mention = assertedIn(text, kind);
      if (mention !== undefined) return { kind, symptoms: [`your message says "${quoteOf(mention)}"`] };
    }
  }
  return undefined;
}

/** The kind of trouble that a statement says is over: "the 429s are gone". */
export function endedIncident(clause: string): IncidentKind | undefined {
  return INCIDENT_KINDS.find(
    (kind) =>
      kind.isAction !== true &&
      mentionsOf(clause, kind).length > 0 &&
      assertedIn(clause, kind) === undefined &&
      SAYS_ENDED.test(clause),
  );
}

const SAYS_ENDED =
  /\b(?:gone|fixed|solved|over|cleared|stopped|disappeared|went away|resolved|ended|recovered|no (?:more|further|longer)|any ?more|under control|back to normal)\b/i;

/** Whether a statement names trouble or an action at all, be it that there is none. */
export function mentionsIncident(clause: string): boolean {
  return INCIDENT_KINDS.some((kind) => mentionsOf(clause, kind).length > 0);
}

function assertedIn(clause: string, kind: IncidentKind): Mention | undefined {
  const isAsserted = kind.isAction === true ? isAssertedAction : isAssertedTrouble;
  return mentionsOf(clause, kind).find((mention) => isAsserted(mention));
}

function mentionsOf(clause: string, { words, except, statuses = [] }: IncidentKind): Mention[] {
  const matches =
    words === undefined ? [] : [...clause.matchAll(new RegExp(words, `${words.flags.replace('g', '')}g`))];
  return [
    ...matches
      .map((match) => ({ clause, start: match.index, end: match.index + match[0].length }))
      .filter(
        ({ start, end }) =>
          except?.test(clause.slice(start, end + NEAR)) !== true &&
          except?.test(clause.slice(Math.max(0, start - NEAR), start)) !== true,
      ),
    ...(statuses.length === 0 ? [] : statusesIn(clause, statuses)),
  ];
}

/** How much around a mention is looked at. */
const NEAR = 48;
const LONGEST_QUOTE = 80;

/** The words of a mention, whole ones, without addresses: an answer repeats no link that a message brought. */
function quoteOf({ clause, start, end }: Mention): string {
  const head = /[\p{L}\p{N}_.]{0,40}$/u.exec(clause.slice(0, start))?.[0] ?? '';
  const tail = /^[\p{L}\p{N}_]{0,40}/u.exec(clause.slice(end))?.[0] ?? '';
  // Scripts without spaces have no words to complete.
  const isSpaced = !/[\p{Script=Han}\u3041-\u30fa]/u.test(clause);
  const words = isSpaced ? `${head}${clause.slice(start, end)}${tail}` : clause.slice(start, end);
  return words.replaceAll(/\bhttps?:\/\/\S{1,200}/gi, '…').slice(0, LONGEST_QUOTE);
}
