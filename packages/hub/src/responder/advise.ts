import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import { freshSymptoms } from '../heartbeats/symptoms.ts';
import type { IncidentKind, Step } from '../incidents/incident-kind.ts';
import { ASK_FOR_HELP, HAND_OVER, INCIDENT_KINDS, NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { readIncident, type Incident } from '../incidents/read-incident.ts';
import type { Guidance } from '../messages/guidance.ts';
import { openAdvices, withOutcome, type Advice } from './advice-memory.ts';
import { describePast, describeState, quoteStep, stepOf, wordsOfOutcome } from './describe-advice.ts';
import { languageOf, type Language } from './languages.ts';
import { asksForState, isProgress, readReport, type Report } from './read-report.ts';
import type { Answer } from './tones.ts';

/** What the responder's answer is based on. */
export interface Situation {
  readonly text: string;
  readonly series: HeartbeatSeries | undefined;
  /** Earlier advice to this agent, newest last. */
  readonly advices: readonly Advice[];
  readonly sessionId: string;
  readonly taskId: string;
  /** Whether the agent has an unfinished task that it can offer to others. */
  readonly canHandOver: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Advised {
  /** The updated record. */
  readonly advices: readonly Advice[];
  readonly answer: Answer;
  readonly guidance: Guidance;
}

const CONTINUE = 'Continue with what you were doing.';
const ASK_FOR_ERROR = 'If something blocks you, send the exact error text.';
const LONGEST_QUOTE = 120;

/**
 * Decides what to answer: records what the message reports about a step, classifies the incident, and chooses the next step. A step
 * that nothing was reported about is asked for, and not replaced.
 */
export function advise(situation: Situation): Advised {
  const { text, sessionId, taskId } = situation;
  const before = openAdvices(situation.advices, sessionId);
  if (asksForState(text)) return adviseState(situation, before);
  const report = readReport(text, before);
  const reported = report === undefined ? situation.advices : withOutcome(situation.advices, report, taskId);
  const incident = incidentOf(situation, report, before);
  const judged = withDetails(reported, before, incident, taskId);
  const open = openAdvices(judged, sessionId);
  const language = languageOf(text);
  const known = { situation, judged, report, incident, language };
  if (report?.result === 'helped' && incident.kind.name === report.advice.kind)
    return adviseResolved(known, open);
  if (incident.kind === NO_INCIDENT) return adviseNothing(known);
  const asked = open.find(({ kind }) => kind === incident.kind.name);
  return asked === undefined ? adviseStep(known) : adviseAsked(known, asked);
}

interface Known {
  readonly situation: Situation;
  /** The record with what the message reports. */
  readonly judged: readonly Advice[];
  readonly report: Report | undefined;
  readonly incident: Incident;
  readonly language: Language | undefined;
}

/** What a message is about: what it names, otherwise what it reports on, what is open, or the last heartbeat. */
function incidentOf(
  { text, series, now }: Situation,
  report: Report | undefined,
  open: readonly Advice[],
): Incident {
  const symptoms = freshSymptoms(series, now);
  const said = readIncident(text, []);
  const isSpecific = said.kind !== NO_INCIDENT && said.kind.isGeneral !== true;
  const about = report?.advice ?? open.at(-1);
  const kind = about && INCIDENT_KINDS.find(({ name }) => name === about.kind);
  if (!isSpecific && kind !== undefined) return { kind, symptoms: said.symptoms };
  return readIncident(text, symptoms);
}

/** Details about trouble that a message did not name before are the answer to the question for them. */
function withDetails(
  advices: readonly Advice[],
  open: readonly Advice[],
  { kind }: Incident,
  taskId: string,
): readonly Advice[] {
  if (kind === NO_INCIDENT || kind.isGeneral === true) return advices;
  return open
    .filter((advice) => INCIDENT_KINDS.some(({ name, isGeneral }) => name === advice.kind && isGeneral))
    .filter((advice) => advices.includes(advice))
    .reduce<readonly Advice[]>(
      (all, advice) => withOutcome(all, { advice, result: 'done' }, taskId),
      advices,
    );
}

function adviseState(situation: Situation, open: readonly Advice[]): Advised {
  const { advices, sessionId, series, now } = situation;
  const notes = describeState(advices, sessionId, freshSymptoms(series, now));
  const pending = open.at(-1);
  return {
    advices,
    answer: { notes, symptoms: [], past: [] },
    guidance: guidanceFor(pending && stepOf(pending)),
  };
}

function adviseResolved({ judged, situation }: Known, open: readonly Advice[]): Advised {
  const report = judged.filter(({ outcome }) => outcome?.taskId === situation.taskId);
  const other = open.at(-1);
  return {
    advices: judged,
    answer: {
      notes: [],
      symptoms: [],
      past: describePast(report, situation.sessionId, situation.series),
      ask: other && askFor(other),
      isResolved: true,
    },
    guidance: guidanceFor(other && stepOf(other)),
  };
}

/** Nothing is wrong as far as the hub can tell: it says what it recorded, and asks for the one thing it needs. */
function adviseNothing({ situation: { text }, judged, language }: Known): Advised {
  if (language === undefined && isProgress(text)) {
    const answer = { notes: [`Recorded: "${quote(text)}".`], symptoms: [], past: [] };
    return { advices: judged, answer, guidance: guidanceFor(undefined) };
  }
  const ask = language?.ask ?? ASK_FOR_ERROR;
  const note = language?.notFound ?? 'Your message is stored. It names no trouble that a step is known for.';
  return {
    advices: judged,
    answer: { notes: [note], symptoms: [], past: [], ask },
    guidance: { next_action: ask, next_actions: [ask] },
  };
}

/** Asks for the result of a step instead of advising another one. */
function adviseAsked(known: Known, asked: Advice): Advised {
  const { situation, judged, incident, language } = known;
  const { text, sessionId, series } = situation;
  const isAbout = readIncident(text, []).kind !== NO_INCIDENT;
  return {
    advices: judged,
    answer: {
      notes: [
        ...recordedNotes(known),
        ...(!isAbout && language === undefined && isProgress(text) ? [`Recorded: "${quote(text)}".`] : []),
      ],
      title: incident.kind.title,
      symptoms: incident.symptoms,
      past: describePast(
        judged.filter(({ kind }) => kind === incident.kind.name),
        sessionId,
        series,
      ),
      ask: askFor(asked),
    },
    guidance: guidanceFor(stepOf(asked), incident.kind.steps),
  };
}

function adviseStep(known: Known): Advised {
  const { situation, judged, incident } = known;
  const { kind, symptoms } = incident;
  const { sessionId, taskId, series, now } = situation;
  const step = chooseStep(kind, judged, situation);
  const errors = series?.samples.at(-1)?.errors ?? null;
  return {
    advices: [...judged, { kind: kind.name, step: step.id, sessionId, taskId, at: now, errors }],
    answer: {
      notes: recordedNotes(known),
      title: kind.title,
      symptoms,
      past: describePast(
        judged.filter((advice) => advice.kind === kind.name),
        sessionId,
        series,
      ),
      step,
    },
    guidance: guidanceFor(step, kind.steps),
  };
}

/** What was recorded about another incident than the one that is answered, and what was understood of another language. */
function recordedNotes({ report, incident: { kind }, language }: Known): string[] {
  const isOther = report !== undefined && report.advice.kind !== kind.name;
  return [
    ...(isOther ? [`Recorded: ${quoteStep(report.advice)} ${wordsOfOutcome(report.result)}.`] : []),
    ...(language === undefined ? [] : [language.found.replace('{title}', () => kind.title)]),
  ];
}

function askFor(advice: Advice): string {
  return `You have not said whether you did this, and what came of it: ${quoteStep(advice)}`;
}

function quote(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line.replace(/[.!]$/, '');
}

/** The next step first, then the remaining ones. */
function guidanceFor(step: Step | undefined, steps: readonly Step[] = []): Guidance {
  if (step === undefined) return { next_action: CONTINUE, next_actions: [CONTINUE] };
  const index = steps.indexOf(step);
  const offered = index === -1 ? [step] : steps.slice(index);
  return {
    next_action: step.text,
    next_actions: offered.map(({ text }) => text),
    next_actions_info: offered.map(({ text, reason }) => ({ action: text, reason })),
  };
}

/**
 * Chooses the next step: one that the agent has reported to help with this kind of incident, otherwise the first one it did not report
 * on since the incident began. If it reported on all of them, others must help.
 */
export function chooseStep(
  kind: IncidentKind,
  advices: readonly Advice[],
  { sessionId, canHandOver }: Pick<Situation, 'sessionId' | 'canHandOver'>,
): Step {
  const tried = triedNow(kind, advices, sessionId);
  const left = kind.steps.filter(({ id }) => !tried.has(id));
  const scores = new Map(left.map(({ id }) => [id, score(kind, id, advices)]));
  // The sort is stable: equal scores keep their order, the least invasive first.
  const best = left.toSorted((one, other) => (scores.get(other.id) ?? 0) - (scores.get(one.id) ?? 0))[0];
  return best ?? (canHandOver ? HAND_OVER : ASK_FOR_HELP);
}

/** The steps tried for the current incident: those reported on in this session since one was last reported to help. */
function triedNow(kind: IncidentKind, advices: readonly Advice[], sessionId: string): ReadonlySet<string> {
  const here = advices.filter((advice) => advice.sessionId === sessionId && advice.kind === kind.name);
  const end = here.findLastIndex(({ outcome }) => outcome?.result === 'helped');
  return new Set(
    here
      .slice(end + 1)
      .filter(({ outcome }) => outcome !== undefined)
      .map(({ step }) => step),
  );
}

/** The number of reports that it helped minus the number that it did not. */
function score(kind: IncidentKind, step: string, advices: readonly Advice[]): number {
  const results = advices
    .filter((advice) => advice.kind === kind.name && advice.step === step)
    .map(({ outcome }) => outcome?.result);
  return results.reduce(
    (sum, result) => sum + (result === 'helped' ? 1 : result === 'did_not_help' ? -1 : 0),
    0,
  );
}
