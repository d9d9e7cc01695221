import { Intermission } from './intermission.ts';
import { answer } from './scenes/answer.ts';
import { ask } from './scenes/ask.ts';
import { cancel } from './scenes/cancel.ts';
import { count } from './scenes/count.ts';
import { echo } from './scenes/echo.ts';
import { keyedEcho } from './scenes/keyed-echo.ts';
import { queueUp } from './scenes/queue-up.ts';
import { waitForWork } from './scenes/wait-for-work.ts';
import { passes, type Scene, type Stage } from './stage.ts';

/** How often each scene is played beside the others; those that wait keep their actor busy for long. */
const SCENES: readonly Scene[] = [
  ...Array.from({ length: 6 }, () => echo),
  ...Array.from({ length: 3 }, () => keyedEcho),
  ...Array.from({ length: 4 }, () => count),
  ...Array.from({ length: 2 }, () => ask),
  ...Array.from({ length: 2 }, () => answer),
  ...Array.from({ length: 2 }, () => cancel),
  queueUp,
  waitForWork,
];
const ACTORS = 16;

export interface Load {
  /** Lets every actor finish its scene and begin no other until `goOn`; resolves when all of them rest. */
  rest(): Promise<void>;
  goOn(): void;
  /** Ends every actor after its present call. */
  stop(): Promise<void>;
}

export interface Programme {
  readonly scenes: readonly Scene[];
  readonly actors: number;
}

const EVERYTHING: Programme = { scenes: SCENES, actors: ACTORS };

/** Actors that play one scene after the other, all at once, until they are stopped. */
export function startLoad(stage: Omit<Stage, 'signal' | 'nextLabel'>, programme = EVERYTHING): Load {
  const over = new AbortController();
  const intermission = new Intermission();
  let labels = 0;
  const nextLabel = (): string => `intent-${(labels += 1)}`;
  const actors = Array.from({ length: programme.actors }, (_, number) =>
    play(
      { ...stage, random: stage.random.fork(`actor-${number}`), signal: over.signal, nextLabel },
      programme.scenes,
      intermission,
    ),
  );
  return {
    rest: () => intermission.begin(),
    goOn: () => intermission.end(),
    stop: async () => {
      over.abort();
      intermission.end();
      await Promise.all(actors);
    },
  };
}

async function play(stage: Stage, scenes: readonly Scene[], intermission: Intermission): Promise<void> {
  while (!stage.signal.aborted) {
    try {
      await intermission.play(() => stage.random.pick(scenes)(stage));
    } catch (error) {
      if (passes(stage, error) || error === stage.signal.reason) continue;
      stage.ledger.violations.push(
        `a call went wrong: ${error instanceof Error ? error.stack : String(error)}`,
      );
      return;
    }
  }
}
