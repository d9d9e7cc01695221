import { startEngine } from './engine/engine.ts';
import { noopLog } from './log.ts';
import { noopObserver } from './observe/observer.ts';
import { bindOperations } from './operations/bind-operations.ts';
import { PUSH_OFF } from './push/push-health.ts';
import type { Runtime, RuntimeOptions } from './runtime-api.ts';

const DEFAULT_CONCURRENT_TURNS = 100;
const DEFAULT_QUEUED_TURNS = 1_000;
const DEFAULT_ATTEMPTS = 3;
const DEFAULT_GRACE_MILLISECONDS = 5_000;

/**
 * Runs an agent on a store. It does not listen on a port: pass the runtime to `serveRuntime`, or its `operations` to a
 * server.
 *
 * @example
 * ```ts
 * const runtime = await startRuntime({
 *   store: await openSqliteStore({ folder: '.holdword' }),
 *   executor: { execute: async (turn, sink) => sink.complete('Hello') },
 * });
 * ```
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const agent = options.executor.card ?? { name: 'Agent', description: 'An agent served by Holdword.' };
  const engine = await startEngine({
    store: options.store,
    executor: options.executor,
    log: options.log ?? noopLog,
    observer: options.observer ?? noopObserver,
    includeSequence: options.includeSequence ?? true,
    maxConcurrentTurns: options.maxConcurrentTurns ?? DEFAULT_CONCURRENT_TURNS,
    maxQueuedTurns: options.maxQueuedTurns ?? DEFAULT_QUEUED_TURNS,
    maxAttempts: options.maxAttempts ?? DEFAULT_ATTEMPTS,
    ...(options.turnGroupOf && { turnGroupOf: options.turnGroupOf }),
    ...(options.retention && { retention: options.retention }),
    ...(options.maxEventBytes !== undefined && { maxEventBytes: options.maxEventBytes }),
    ...(options.leaseMilliseconds !== undefined && { leaseMilliseconds: options.leaseMilliseconds }),
    ...(options.push !== false && { push: options.push ?? {} }),
  });
  return {
    agent,
    operations: bindOperations(engine, agent),
    get activity() {
      return engine.turns.activity;
    },
    get health() {
      return {
        stopping: engine.turns.stopping,
        heartbeatAgeMilliseconds: Date.now() - engine.lastHeartbeat,
        commitsFailing: engine.commitsFailing,
      };
    },
    ...(engine.push && { pushKeys: engine.push.keys.keySet }),
    pushHealth: () => engine.push?.health() ?? PUSH_OFF,
    stop: async ({ graceMilliseconds = DEFAULT_GRACE_MILLISECONDS } = {}) => {
      await engine.stop(graceMilliseconds);
      await options.executor.close?.();
    },
  };
}
