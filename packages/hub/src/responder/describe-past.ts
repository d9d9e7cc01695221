import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import type { Advice } from './advice-memory.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from '../incidents/incident-kinds.ts';

const MAX_FACTS = 3;
const TITLES = new Map(
  [...INCIDENT_KINDS, NO_INCIDENT].flatMap(({ steps }) => steps.map(({ id, text }) => [id, text])),
);

/**
 * Describes what was tried for this kind of incident and the outcome, newest last. States only what was reported or
 * measured: if metrics improved after a step, it says so without claiming that the step helped.
 */
export function describePast(
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
        `${new Date(advice.at).toISOString()} (task ${advice.taskId}): "${TITLES.get(advice.step) ?? advice.step}" ${resultOf(advice, series)}`,
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
