import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startRuntime,
  type RequestContext,
  type Executor,
  type Runtime,
  type Sink,
  type Turn,
} from '@holdword/runtime';
import { openSqliteStore } from '@holdword/store';
import type { Measure } from '../measures.ts';
import { atMost } from '../report/target.ts';
import { compareAlternately } from './compare-alternately.ts';
import type { GrowthSizes } from './growth-sizes.ts';

const WINDOW = 100;
const EARLY_EVENT = WINDOW / 2;
const CALL: RequestContext = {
  owner: { tenant: '', caller: 'bench', authenticated: true },
  extensions: new Set(),
  signal: new AbortController().signal,
};

/**
 * The cost of one more event of a task, early and late in its life (J4): an executor writes windows of events through the
 * runtime to a real SQLite file and waits until each window is on disk. The early windows contain the first events of new
 * tasks, the late ones those around and after the late event of one long task.
 */
export async function eventCost(dataFolder: string, sizes: GrowthSizes): Promise<Measure> {
  const store = await openSqliteStore({ folder: await mkdtemp(join(dataFolder, 'event-cost-')) });
  const turns = new HeldTurns();
  // Twice what runs: a part of the slots is kept for other callers.
  const runtime = await startRuntime({ store, executor: turns, maxConcurrentTurns: 2 * (sizes.samples + 1) });
  try {
    const long = await turns.begin(runtime);
    await writeWindow(long, sizes.events - EARLY_EVENT);
    // All new tasks exist before the first window, so that nothing else is written while a window is timed.
    const fresh: Sink[] = [];
    for (let sample = 0; sample < sizes.samples; sample += 1) fresh.push(await turns.begin(runtime));
    const comparison = await compareAlternately(
      fresh.map((sink) => ({
        small: () => writeWindow(sink, WINDOW),
        large: () => writeWindow(long, WINDOW),
      })),
    );
    return {
      figures: {
        [`event${EARLY_EVENT}Microseconds`]: (comparison.small / WINDOW) * 1000,
        [`event${sizes.events}Microseconds`]: (comparison.large / WINDOW) * 1000,
      },
      target: atMost(`cost of event ${sizes.events} over event ${EARLY_EVENT}`, 1.3, comparison.ratio),
    };
  } finally {
    await runtime.stop({ graceMilliseconds: 0 });
    await store.close();
  }
}

/** Writes events concurrently and waits for all of them; returns the milliseconds it took. */
async function writeWindow(sink: Sink, events: number): Promise<number> {
  const start = performance.now();
  for (let event = 0; event < events; event += 1) {
    await sink.artifact({ artifactId: 'numbers', parts: `${event}\n`, append: true });
  }
  await sink.flush();
  return performance.now() - start;
}

/** An executor whose turns stay open until the runtime stops, so that the bench can write their events. */
class HeldTurns implements Executor {
  #started: (sink: Sink) => void = () => {};

  async begin(runtime: Runtime): Promise<Sink> {
    const started = new Promise<Sink>((resolve) => {
      this.#started = resolve;
    });
    const message = { messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text: 'write' }] };
    await runtime.operations.sendMessage({ message, configuration: { returnImmediately: true } }, CALL);
    return started;
  }

  execute(turn: Turn, sink: Sink): Promise<void> {
    return new Promise((resolve) => {
      turn.signal.addEventListener('abort', () => resolve(), { once: true });
      this.#started(sink);
    });
  }
}
