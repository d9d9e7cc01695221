import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { startRuntime, type Executor, type Runtime, type Sink } from '@parley/runtime';
import { openSqliteStore } from '@parley/store/sqlite';
import { atMost } from '../report/target.ts';
import { compareByTurns } from './compare-by-turns.ts';
import type { GrowthMeasure, GrowthSizes } from './growth-measure.ts';

const WINDOW = 100;
const EARLY_EVENT = WINDOW / 2;

/**
 * What one more event of a task costs, early and late in its life (J4): an executor writes windows of events through the
 * runtime into a real SQLite file and waits until each window is on disk. The early windows hold the first events of new
 * tasks, the late ones are those around and after the later event of one long task.
 */
export async function eventCost(dataFolder: string, sizes: GrowthSizes): Promise<GrowthMeasure> {
  const store = await openSqliteStore({ folder: await mkdtemp(join(dataFolder, 'event-cost-')) });
  const turns = new HeldTurns();
  const runtime = await startRuntime({ store, executor: turns });
  try {
    const long = await turns.begin(runtime);
    await writeWindow(long, sizes.events - EARLY_EVENT);
    const comparison = await compareByTurns(
      sizes.samples,
      async () => {
        const fresh = await turns.begin(runtime);
        const time = await writeWindow(fresh, WINDOW);
        await fresh.complete();
        return time;
      },
      () => writeWindow(long, WINDOW),
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

/** Writes events without waiting for each, then waits for all; gives the milliseconds it took. */
async function writeWindow(sink: Sink, events: number): Promise<number> {
  const start = performance.now();
  for (let event = 0; event < events; event += 1) {
    await sink.artifact({ artifactId: 'numbers', parts: `${event}\n`, append: true });
  }
  await sink.flush();
  return performance.now() - start;
}

/** An executor whose turns stay open until the sink completes them, so that the bench itself writes their events. */
class HeldTurns implements Executor {
  #started: (sink: Sink) => void = () => {};

  begin(runtime: Runtime): Promise<Sink> {
    const sink = new Promise<Sink>((resolve) => {
      this.#started = resolve;
    });
    const message = {
      messageId: crypto.randomUUID(),
      role: 'ROLE_USER' as const,
      parts: [{ text: 'write' }],
    };
    const call = {
      owner: { tenant: '', caller: 'bench', authenticated: true },
      extensions: new Set<string>(),
      signal: new AbortController().signal,
    };
    const accepted = runtime.operations.sendMessage(
      { message, configuration: { returnImmediately: true } },
      call,
    );
    return accepted.then(() => sink);
  }

  async execute(turn: { signal: AbortSignal }, sink: Sink): Promise<void> {
    this.#started(sink);
    await new Promise<void>((resolve) =>
      turn.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }
}
