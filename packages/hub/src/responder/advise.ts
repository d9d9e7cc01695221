import { freshSymptoms } from '../heartbeats/fresh-symptoms.ts';
import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import type { Step } from '../incidents/incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { readIncident, type Incident } from '../incidents/read-incident.ts';
import type { Guidance } from '../messages/guidance.ts';
import { pendingAdvice, withOutcome, type Advice } from './advice-memory.ts';
import { chooseStep } from './choose-step.ts';
import { describePast } from './describe-past.ts';
import { readOutcome } from './read-outcome.ts';
import type { Answer } from './speak.ts';

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
      ...(kind !== NO_INCIDENT && { title: kind.title }),
      symptoms,
      past: describePast(judged, { kind: kind.name, sessionId }, series),
      ...(step !== undefined && { step }),
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
