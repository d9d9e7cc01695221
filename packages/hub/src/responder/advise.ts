import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import { freshSymptoms } from '../heartbeats/symptoms.ts';
import type { Step } from '../incidents/incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { readIncident, type Incident } from '../incidents/read-incident.ts';
import type { Guidance } from '../messages/guidance.ts';
import { describeNotes, howToReport, leavesWork } from '../notes/describe-notes.ts';
import { isOver, openAdvices, withOutcome, type Advice } from '../incidents/advice-memory.ts';
import { chooseStep, type Place } from './choose-step.ts';
import {
  describePast,
  describeState,
  quoteStep,
  stepOf,
  titleOf,
  wordsOfOutcome,
} from './describe-advice.ts';
import { languageOf } from './languages.ts';
import { asksForState, isProgress, namesWork } from './message-kinds.ts';
import { readReport, type Report } from './read-report.ts';
import type { Answer } from './tones.ts';

/** What the responder's answer is based on. */
export interface Situation extends Place {
  readonly text: string;
  readonly series: HeartbeatSeries | undefined;
  /** Earlier advice to this agent, newest last. */
  readonly advices: readonly Advice[];
  readonly taskId: string;
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
const NOT_FOUND = 'Your message is stored. It names no trouble that a step is known for.';
const LONGEST_QUOTE = 120;

/**
 * Decides what to answer: records what the message reports about a step, classifies the incident, and chooses the next step. A step
 * that nothing was reported about is not replaced while its incident is what the message is about.
 */
export function advise(situation: Situation): Advised {
  const { text, sessionId, taskId } = situation;
  const before = openAdvices(situation.advices, sessionId);
  if (asksForState(text)) return adviseState(situation, before);
  const report = readReport(text, before);
  const { incident, isSaid } = incidentOf(situation, report);
  const judged = withDetails(withReport(situation.advices, report, taskId), before, incident, taskId);
  const known = { situation, judged, report, incident };
  if (isResolved(known)) return adviseResolved(known);
  const asked = openAdvices(judged, sessionId).find(({ kind }) => kind === incident.kind.name);
  // A heartbeat alone is no reason to ask again for the same step.
  if (incident.kind === NO_INCIDENT || (asked !== undefined && !isSaid)) return adviseNothing(known);
  return asked === undefined ? adviseStep(known) : adviseAsked(known, asked);
}

interface Known {
  readonly situation: Situation;
  /** The record with what the message reports. */
  readonly judged: readonly Advice[];
  readonly report: Report | undefined;
  readonly incident: Incident;
}

function isResolved({ report, incident: { kind } }: Known): boolean {
  return report !== undefined && isOver(resultOf(report)) && kind.name === report.advice.kind;
}

function resultOf({ result }: Report): Exclude<Report['result'], 'not_done'> {
  return result === 'not_done' ? undefined : result;
}

function withReport(
  advices: readonly Advice[],
  report: Report | undefined,
  taskId: string,
): readonly Advice[] {
  if (report === undefined) return advices;
  const result = resultOf(report);
  return result === undefined ? advices : withOutcome(advices, { advice: report.advice, result }, taskId);
}

/** What a message is about: what it names, otherwise what it reports on, or the last heartbeat. */
function incidentOf(
  { text, series, now }: Situation,
  report: Report | undefined,
): { incident: Incident; isSaid: boolean } {
  const said = readIncident(text, []);
  const isVague = said.kind === NO_INCIDENT || said.kind.isGeneral === true;
  const about = report && INCIDENT_KINDS.find(({ name }) => name === report.advice.kind);
  if (isVague && about !== undefined)
    return { incident: { kind: about, symptoms: said.symptoms }, isSaid: true };
  return {
    incident: readIncident(text, freshSymptoms(series, now)),
    isSaid: said.kind !== NO_INCIDENT,
  };
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

/** The trouble is over. That a step ended it is said only if it was reported. */
function adviseResolved(known: Known): Advised {
  const { judged, report, situation } = known;
  const reported = judged.filter(({ outcome }) => outcome?.taskId === situation.taskId);
  const other = openAdvices(judged, situation.sessionId).at(-1);
  const hasHelped = report?.result === 'helped';
  const ended = `Recorded: you report that this is over: ${report === undefined ? '' : titleOf(report.advice)}.`;
  return {
    advices: judged,
    answer: {
      notes: [...workNotes(situation.text), ...ownNotes(report), ...(hasHelped ? [] : [ended])],
      symptoms: [],
      past: hasHelped ? describePast(reported, situation.sessionId, situation.series) : [],
      ask: other && `Still open: ${titleOf(other)}. Pending step, no result reported: ${quoteStep(other)}`,
      hasHelped,
      isSettled: other === undefined && !namesWork(situation.text) && !leavesWork(situation.text),
    },
    guidance: guidanceFor(other && stepOf(other)),
  };
}

/** Nothing is wrong as far as the hub can tell: it says what it recorded, or asks for the one thing it needs. */
function adviseNothing({ situation: { text }, judged }: Known): Advised {
  const language = languageOf(text);
  const recorded = describeNotes(text);
  const how = howToReport(text) ?? [];
  if (recorded !== undefined || isProgress(text)) {
    const note = language?.recorded ?? (recorded === undefined ? `Recorded: "${quote(text)}".` : []);
    return {
      advices: judged,
      answer: { notes: [note, recorded ?? how].flat(), symptoms: [], past: [] },
      guidance: guidanceFor(undefined),
    };
  }
  const ask = language?.ask ?? ASK_FOR_ERROR;
  return {
    advices: judged,
    answer: { notes: [language?.notFound ?? NOT_FOUND, how].flat(), symptoms: [], past: [], ask },
    guidance: { next_action: ask, next_actions: [ask] },
  };
}

/** Names the step that is open instead of advising another one. */
function adviseAsked(known: Known, asked: Advice): Advised {
  const { report, incident } = known;
  const step = quoteStep(asked);
  const ask =
    report?.result === 'not_done'
      ? `Understood: not done yet. This step stays open: ${step}`
      : report?.own !== undefined
        ? `This step is open: ${step}`
        : `No result is reported yet for this step: ${step} Report what came of it, or that it does not fit.`;
  return {
    advices: known.judged,
    answer: { ...aboutIncident(known), ask },
    guidance: guidanceFor(stepOf(asked), incident.kind.steps),
  };
}

function adviseStep(known: Known): Advised {
  const { situation, judged, incident } = known;
  const { kind } = incident;
  const { sessionId, taskId, series, now } = situation;
  const step = chooseStep(kind, judged, situation);
  const errors = series?.samples.at(-1)?.errors ?? null;
  return {
    advices: [...judged, { kind: kind.name, step: step.id, sessionId, taskId, at: now, errors }],
    answer: { ...aboutIncident(known), step },
    guidance: guidanceFor(step, kind.steps),
  };
}

/** What an answer says about the incident, before the step. */
function aboutIncident({ situation, judged, report, incident }: Known): Answer {
  const { kind, symptoms, danger, besides } = incident;
  const result = report && resultOf(report);
  const isOther = report !== undefined && report.advice.kind !== kind.name;
  const first = besides?.kind.steps[0];
  return {
    warning: danger && warningOf(danger),
    notes: [
      ...workNotes(situation.text),
      ...ownNotes(report),
      ...(isOther && result !== undefined
        ? [`Recorded: ${quoteStep(report.advice)} You reported that ${wordsOfOutcome(result)}.`]
        : []),
      ...(besides === undefined || first === undefined
        ? []
        : [`Apart from that, this is ${besides.kind.title}. The first step for it: ${first.text}`]),
    ],
    title: kind.title,
    symptoms,
    past: describePast(
      judged.filter((advice) => advice.kind === kind.name),
      situation.sessionId,
      situation.series,
    ),
  };
}

function warningOf({ kind, symptoms }: Incident): string {
  return `do not do this now: ${symptoms[0] ?? ''}, ${kind.title}. ${kind.steps[0]?.reason ?? ''}`;
}

/** What a message reports about the work, whatever else it is about. */
function workNotes(text: string): string[] {
  const recorded = describeNotes(text);
  return recorded === undefined ? [] : [recorded];
}

/** What the sender did of its own accord is not told as the advised step. */
function ownNotes(report: Report | undefined): string[] {
  if (report?.own === undefined || report.own.result === 'ended') return [];
  return [
    `Recorded as your own action, not as the advised step: you report that ${wordsOfOutcome(report.own.result)}.`,
  ];
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
