import type { Store } from '@parley/store';
import type { AgentDescription } from './agent-description.ts';
import type { Executor } from './executors/executor.ts';
import type { Log } from './log.ts';
import type { Observer } from './observe/observer.ts';
import type { Operations } from './operations/operations.ts';

export interface RuntimeOptions {
  store: Store;
  executor: Executor;
  log?: Log;
  /** Is told what happens, for metrics and audits. */
  observer?: Observer;
  /** Turns that run at once; more wait in a queue. */
  maxConcurrentTurns?: number;
  /** Turns that may wait; one more is refused as RESOURCE_EXHAUSTED. */
  maxQueuedTurns?: number;
  /** Tries of a turn whose executor throws RetryableError. */
  maxAttempts?: number;
  /** Whether events carry their sequence number in metadata; SSE ids carry it in any case. */
  stampSequence?: boolean;
}

/** An agent that runs: its operations, and how to stop it. */
export interface Runtime {
  readonly agent: AgentDescription;
  readonly operations: Operations;
  /** Turns that run and wait at this moment. */
  readonly activity: { running: number; queued: number };
  /** Signs of life, for a readiness check. */
  readonly health: { stopping: boolean; heartbeatAgeMilliseconds: number };
  /** Gives running turns `graceMilliseconds` to end, then aborts them and journals them as interrupted. */
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}
