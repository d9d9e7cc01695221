import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import type { Step, Symptom } from '../incidents/incident-kind.ts';
import { ASK_FOR_HELP, HAND_OVER, INCIDENT_KINDS } from '../incidents/incident-kinds.ts';
import { isoTime } from '../wire/times.ts';
import { isOver, type Advice, type Outcome } from '../incidents/advice-memory.ts';

const MAX_FACTS = 3;
const STEPS = new Map(
  [...INCIDENT_KINDS.flatMap(({ steps }) => steps), HAND_OVER, ASK_FOR_HELP].map((step) => [step.id, step]),
);
const TITLES = new Map(INCIDENT_KINDS.map(({ name, title }) => [name, title]));

export function stepOf({ step }: Pick<Advice, 'step'>): Step | undefined {
  return STEPS.get(step);
}

/** The words of a step. One that a version before advised and this one does not know is only called that. */
export function quoteStep(advice: Pick<Advice, 'step'>): string {
  const step = stepOf(advice);
  return step === undefined ? 'an earlier step' : `"${step.text}"`;
}

const WORDS: Readonly<Record<Outcome, string>> = {
  helped: 'it helped',
  helped_partly: 'it helped in part',
  did_not_help: 'it did not help',
  done: 'you did it',
  persists: 'the trouble is still there',
  ended: 'the trouble is over',
  does_not_fit: 'it does not fit',
};

/** What follows "you reported that". */
export function wordsOfOutcome(result: Outcome): string {
  return WORDS[result];
}

/** The title of the incident that a step was advised for. */
export function titleOf({ kind }: Pick<Advice, 'kind'>): string {
  return TITLES.get(kind) ?? 'an earlier incident';
}

/**
 * Describes what was tried and the outcome, newest last: in this session, and what helped in others. States only what was reported or
 * measured: if metrics improved after a step, it says so without claiming that the step helped.
 */
export function describePast(
  advices: readonly Advice[],
  sessionId: string,
  series: HeartbeatSeries | undefined,
): string[] {
  return advices
    .filter((advice) => advice.sessionId === sessionId || advice.outcome?.result === 'helped')
    .flatMap((advice) => {
      const result = resultOf(advice, series);
      return result === undefined
        ? []
        : [`${isoTime(advice.at)} (task ${advice.taskId}): ${quoteStep(advice)} ${result}`];
    })
    .slice(-MAX_FACTS);
}

function resultOf({ outcome, errors, at }: Advice, series: HeartbeatSeries | undefined): string | undefined {
  if (outcome !== undefined) {
    return `You reported that ${wordsOfOutcome(outcome.result)} (task ${outcome.taskId}).`;
  }
  const since = series?.samples.at(-1);
  if (errors === null || since === undefined || since.errors === null || since.at <= at) return undefined;
  return `Errors in the last hour: ${errors} then, ${since.errors} now.`;
}

/** What stands and what is open in a session, one line for each incident, and what the last heartbeat says. */
export function describeState(
  advices: readonly Advice[],
  sessionId: string,
  symptoms: readonly Symptom[],
): string[] {
  const here = advices.filter((advice) => advice.sessionId === sessionId);
  const latest = here.filter(
    ({ kind }, index) => here.findLastIndex((other) => other.kind === kind) === index,
  );
  const lines = latest.map((advice) => stateOf(advice, here));
  return [
    ...(lines.length > 0 ? lines : ['No incident was reported in this session.']),
    ...symptoms.map(({ text }) => `Heartbeat: ${text}.`),
  ];
}

function stateOf(advice: Advice, here: readonly Advice[]): string {
  const title = titleOf(advice);
  if (isOver(advice.outcome?.result))
    return `Resolved: ${title}. ${quoteStep(advice)} You reported that ${wordsOfOutcome(advice.outcome?.result ?? 'ended')}.`;
  const failed = here.filter(
    ({ kind, outcome }) => kind === advice.kind && outcome?.result === 'did_not_help',
  ).length;
  const tried = failed === 0 ? '' : ` Steps that did not help: ${failed}.`;
  if (advice.outcome === undefined)
    return `Open: ${title}.${tried} Pending step, no result reported: ${quoteStep(advice)}`;
  return `Open: ${title}.${tried} ${quoteStep(advice)} You reported that ${wordsOfOutcome(advice.outcome.result)}.`;
}
