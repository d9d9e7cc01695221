import type { Observer } from '../observe/observer.ts';
import { startTurnSpan } from '../observe/tracing.ts';
import type { PlannedTurn } from './running-turns.ts';
import { runTurn, type TurnRunnerOptions } from './turn-runner.ts';

/** Runs a turn inside a span, whose trace is passed to the agent, and reports its duration to the observer. */
export async function watchTurn(
  plan: PlannedTurn,
  options: TurnRunnerOptions & { observer: Observer },
): Promise<void> {
  const startedAt = performance.now();
  const { live, abort, direct, resumed } = plan;
  const span = startTurnSpan({
    parent: plan.trace,
    attributes: { 'a2a.task.id': live.taskId, 'a2a.context.id': live.contextId, 'a2a.resumed': resumed },
  });
  const { trace } = span;
  try {
    await span.run(() =>
      runTurn({ live, abort, direct, resumed, turn: (attempt) => plan.makeTurn(attempt, trace) }, options),
    );
  } finally {
    const state = live.writtenState;
    span.end(state === 'TASK_STATE_FAILED' ? state : undefined);
    options.observer.turnEnded?.({ state, milliseconds: performance.now() - startedAt });
  }
}
