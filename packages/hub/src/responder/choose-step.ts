import type { Advice } from './advice-memory.ts';
import type { IncidentKind, Step } from '../incidents/incident-kind.ts';
import { CARRY_ON, HAND_OVER, NO_INCIDENT } from '../incidents/incident-kinds.ts';

/**
 * The step to take now: one that the agent has reported to help with this kind of trouble, else the first that was not
 * tried since the trouble began; when all were, the task should go to somebody else.
 */
export function chooseStep(kind: IncidentKind, advices: readonly Advice[], sessionId: string): Step {
  const tried = triedNow(kind, advices, sessionId);
  const left = kind.steps.filter(({ id }) => !tried.has(id));
  const scores = new Map(left.map(({ id }) => [id, score(id, advices)]));
  // Sorting keeps the order of those that are equal, which is that of the file: the gentlest first.
  const best = left.toSorted((one, other) => (scores.get(other.id) ?? 0) - (scores.get(one.id) ?? 0))[0];
  return best ?? (kind === NO_INCIDENT ? CARRY_ON : HAND_OVER);
}

/** The steps of this trouble: those of the session since one was last reported to help. */
function triedNow(kind: IncidentKind, advices: readonly Advice[], sessionId: string): ReadonlySet<string> {
  const here = advices.filter((advice) => advice.sessionId === sessionId && advice.kind === kind.name);
  const end = here.findLastIndex(({ outcome }) => outcome?.result === 'helped');
  return new Set(here.slice(end + 1).map(({ step }) => step));
}

/** How often it was reported to help, less how often not to. */
function score(step: string, advices: readonly Advice[]): number {
  return advices
    .filter((advice) => advice.step === step && advice.outcome !== undefined)
    .reduce((sum, { outcome }) => sum + (outcome?.result === 'helped' ? 1 : -1), 0);
}
