import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import { freshSymptoms } from '../heartbeats/symptoms.ts';
import {
  CARRY_ON,
  HAND_OVER,
  INCIDENT_KINDS,
  NO_INCIDENT,
  type IncidentKind,
  type Step,
} from '../incidents/incident-kinds.ts';
import { isoTime } from '../wire/times.ts';
import { readIncident, type Incident } from '../incidents/read-incident.ts';
import type { Guidance } from '../messages/guidance.ts';
import { pendingAdvice, readOutcome, withOutcome, type Advice } from './advice-memory.ts';
import type { Answer } from './tones.ts';

/** What the responder's answer is based on. */
export interface Situation {
  readonly text: string;
  readonly series: HeartbeatSeries | undefined;
  /** Earlier advice to this agent, newest last. */
  readonly advices: readonly Advice[];
  readonly sessionId: string;
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

/** Decides what to answer: records the outcome of the last step, classifies the incident, and chooses the next step. */
export function advise(situation: Situation): Advised {
  const { text, series, sessionId, taskId, now } = situation;
  const pending = pendingAdvice(situation.advices, sessionId);
  const outcome = pending && readOutcome(text);
  const judged =
    pending === undefined || outcome === undefined
      ? situation.advices
      : withOutcome(situation.advices, pending, outcome, taskId);
  const incident = readIncident(text, freshSymptoms(series, now));
  const isReport = outcome !== undefined && !namesOther(text, pending);
  const { kind, symptoms } = isReport ? sameAsBefore(incident, pending) : incident;
  const step = isReport && outcome === 'helped' ? undefined : chooseStep(kind, judged, sessionId);
  return {
    advices: step === undefined ? judged : [...judged, newAdvice(situation, kind.name, step)],
    answer: {
      title: kind === NO_INCIDENT ? undefined : kind.title,
      symptoms,
      past: describePast(judged, { kind: kind.name, sessionId }, series),
      step,
    },
    guidance: guidanceFor(step, kind.steps),
  };
}

/** "That worked, but now …" describes a new incident. */
function namesOther(text: string, pending: Advice | undefined): boolean {
  const turn = /\b(?:but|however)\b/i.exec(text);
  if (turn === null) return false;
  const { kind } = readIncident(text.slice(turn.index), []);
  return kind !== NO_INCIDENT && kind.name !== pending?.kind;
}

/** A report about the last step refers to the incident of that step. */
function sameAsBefore(incident: Incident, pending: Advice | undefined): Incident {
  const kind = [...INCIDENT_KINDS, NO_INCIDENT].find(({ name }) => name === pending?.kind);
  return kind === undefined ? incident : { ...incident, kind };
}

function newAdvice({ series, sessionId, taskId, now }: Situation, kind: string, { id }: Step): Advice {
  return { kind, step: id, sessionId, taskId, at: now, errors: series?.samples.at(-1)?.errors ?? null };
}

/** The next step first, then the remaining ones. */
function guidanceFor(step: Step | undefined, steps: readonly Step[]): Guidance {
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
 * Chooses the next step: one that the agent has reported to help with this kind of incident, otherwise the first one not
 * tried since the incident began. If all were tried, the step is to hand the task over.
 */
export function chooseStep(kind: IncidentKind, advices: readonly Advice[], sessionId: string): Step {
  const tried = triedNow(kind, advices, sessionId);
  const left = kind.steps.filter(({ id }) => !tried.has(id));
  const scores = new Map(left.map(({ id }) => [id, score(id, advices)]));
  // The sort is stable: equal scores keep their order, the least invasive first.
  const best = left.toSorted((one, other) => (scores.get(other.id) ?? 0) - (scores.get(one.id) ?? 0))[0];
  return best ?? (kind === NO_INCIDENT ? CARRY_ON : HAND_OVER);
}

/** The steps tried for the current incident: those in this session since one was last reported to help. */
function triedNow(kind: IncidentKind, advices: readonly Advice[], sessionId: string): ReadonlySet<string> {
  const here = advices.filter((advice) => advice.sessionId === sessionId && advice.kind === kind.name);
  const end = here.findLastIndex(({ outcome }) => outcome?.result === 'helped');
  return new Set(here.slice(end + 1).map(({ step }) => step));
}

/** The number of reports that it helped minus the number that it did not. */
function score(step: string, advices: readonly Advice[]): number {
  return advices
    .filter((advice) => advice.step === step && advice.outcome !== undefined)
    .reduce((sum, { outcome }) => sum + (outcome?.result === 'helped' ? 1 : -1), 0);
}

const MAX_FACTS = 3;
const TITLES = new Map(
  [...INCIDENT_KINDS, NO_INCIDENT].flatMap(({ steps }) => steps.map(({ id, text }) => [id, text])),
);

/**
 * Describes what was tried for this kind of incident and the outcome, newest last. States only what was reported or
 * measured: if metrics improved after a step, it says so without claiming that the step helped.
 */
function describePast(
  advices: readonly Advice[],
  about: { kind: string; sessionId: string },
  series: HeartbeatSeries | undefined,
): string[] {
  return advices
    .filter(({ kind, sessionId, outcome }) => {
      const isHere = sessionId === about.sessionId;
      return kind === about.kind && (isHere || outcome?.result === 'helped');
    })
    .slice(-MAX_FACTS)
    .map(
      (advice) =>
        `${isoTime(advice.at)} (task ${advice.taskId}): "${TITLES.get(advice.step) ?? advice.step}" ${resultOf(advice, series)}`,
    );
}

function resultOf(advice: Advice, series: HeartbeatSeries | undefined): string {
  if (advice.outcome?.result === 'helped')
    return `You reported that it helped (task ${advice.outcome.taskId}).`;
  if (advice.outcome !== undefined)
    return `You reported that it did not help (task ${advice.outcome.taskId}).`;
  const since = series?.samples.at(-1);
  if (advice.errors !== null && since !== undefined && since.errors !== null && since.at > advice.at)
    return `Errors in the last hour: ${advice.errors} then, ${since.errors} now.`;
  return 'No result was reported.';
}
