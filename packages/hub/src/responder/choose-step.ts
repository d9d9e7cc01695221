import type { Advice } from './advice-memory.ts';
import type { IncidentKind, Step } from '../incidents/incident-kind.ts';
import { CARRY_ON, HAND_OVER, NO_INCIDENT } from '../incidents/incident-kinds.ts';

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
