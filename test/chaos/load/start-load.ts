import { ScenarioPause } from './scenario-pause.ts';
import { answer } from './scenarios/answer.ts';
import { ask } from './scenarios/ask.ts';
import { cancel } from './scenarios/cancel.ts';
import { count } from './scenarios/count.ts';
import { echo } from './scenarios/echo.ts';
import { keyedEcho } from './scenarios/keyed-echo.ts';
import { queueUp } from './scenarios/queue-up.ts';
import { waitForWork } from './scenarios/wait-for-work.ts';
import { isTransient, type Scenario, type LoadContext } from './load-context.ts';

/** How often each scenario runs relative to the others; those that wait occupy their user for long. */
const SCENARIOS: readonly Scenario[] = [
  ...Array.from({ length: 6 }, () => echo),
  ...Array.from({ length: 3 }, () => keyedEcho),
  ...Array.from({ length: 4 }, () => count),
  ...Array.from({ length: 2 }, () => ask),
  ...Array.from({ length: 2 }, () => answer),
  ...Array.from({ length: 2 }, () => cancel),
  queueUp,
  waitForWork,
];
const USERS = 16;

export interface Load {
  /** Lets every user finish its scenario and start no other until `resume`; resolves when all are idle. */
  pause(): Promise<void>;
  resume(): void;
  /** Stops every user after its current call. */
  stop(): Promise<void>;
}

export interface LoadPlan {
  readonly scenarios: readonly Scenario[];
  readonly users: number;
}

const EVERYTHING: LoadPlan = { scenarios: SCENARIOS, users: USERS };

/** Starts concurrent users that each run one scenario after the other until they are stopped. */
export function startLoad(context: Omit<LoadContext, 'signal' | 'nextLabel'>, plan = EVERYTHING): Load {
  const stopping = new AbortController();
  const pauses = new ScenarioPause();
  let labels = 0;
  const nextLabel = (): string => `intent-${(labels += 1)}`;
  const users = Array.from({ length: plan.users }, (_, number) =>
    runUser(
      { ...context, random: context.random.fork(`user-${number}`), signal: stopping.signal, nextLabel },
      plan.scenarios,
      pauses,
    ),
  );
  return {
    pause: () => pauses.begin(),
    resume: () => pauses.end(),
    stop: async () => {
      stopping.abort();
      pauses.end();
      await Promise.all(users);
    },
  };
}

async function runUser(
  context: LoadContext,
  scenarios: readonly Scenario[],
  pauses: ScenarioPause,
): Promise<void> {
  while (!context.signal.aborted) {
    try {
      await pauses.run(() => context.random.pick(scenarios)(context));
    } catch (error) {
      if (isTransient(context, error) || error === context.signal.reason) continue;
      context.ledger.violations.push(
        `a scenario failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
      return;
    }
  }
}
