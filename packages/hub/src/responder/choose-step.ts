import type { IncidentKind, Step } from '../incidents/incident-kind.ts';
import { ASK_FOR_HELP, HAND_OVER } from '../incidents/incident-kinds.ts';
import { isOver, type Advice } from '../incidents/advice-memory.ts';

/** Where a step is chosen, and whether there is a task that can be offered to others. */
export interface Place {
  readonly sessionId: string;
  readonly canHandOver: boolean;
}

/**
 * Chooses the next step: one that the agent has reported to help with this kind of incident, otherwise the first one it did not report
 * on since the incident began. If it reported on all of them, others must help.
 */
export function chooseStep(
  kind: IncidentKind,
  advices: readonly Advice[],
  { sessionId, canHandOver }: Place,
): Step {
  const tried = triedNow(kind, advices, sessionId);
  const left = kind.steps.filter(({ id }) => !tried.has(id));
  const scores = new Map(left.map(({ id }) => [id, score(kind, id, advices)]));
  // The sort is stable: equal scores keep their order, the least invasive first.
  const best = left.toSorted((one, other) => (scores.get(other.id) ?? 0) - (scores.get(one.id) ?? 0))[0];
  return best ?? (canHandOver ? HAND_OVER : ASK_FOR_HELP);
}

/** The steps tried for the current incident: those reported on in this session since it was last reported to be over. */
function triedNow(kind: IncidentKind, advices: readonly Advice[], sessionId: string): ReadonlySet<string> {
  const here = advices.filter((advice) => advice.sessionId === sessionId && advice.kind === kind.name);
  const end = here.findLastIndex(({ outcome }) => isOver(outcome?.result));
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
