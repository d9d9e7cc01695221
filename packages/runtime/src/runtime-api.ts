import type { Store } from '@holdword/store';
import type { AgentDescription } from './agent-description.ts';
import type { TurnGroup } from './engine/turn-queue.ts';
import type { Executor, Owner } from './executors/executor.ts';
import type { Log } from './log.ts';
import type { Observer } from './observe/observer.ts';
import type { RuntimeHealth } from './observe/readiness.ts';
import type { Operations } from './operations/operations.ts';
import type { RetentionOptions } from './retention/retention-options.ts';
import type { PushHealth } from './push/push-health.ts';
import type { PushOptions } from './push/push-options.ts';

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
  /** Whose turns share a smaller number of places, for example those of one caller; a name and that number. */
  turnGroupOf?: (owner: Owner) => TurnGroup | undefined;
  /** Tries of a turn whose executor throws RetryableError. */
  maxAttempts?: number;
  /** The largest event an agent may write at once; a larger one fails its task. 16 MiB by default. */
  maxEventBytes?: number;
  /**
   * Where several processes share a store: within this time of the last sign of one, others go on with its tasks. 15 s by
   * default.
   */
  leaseMilliseconds?: number;
  /** What is forgotten of tasks that have ended; nothing by default. */
  retention?: RetentionOptions;
  /** Whether events carry their sequence number in metadata; SSE ids carry it in any case. */
  includeSequence?: boolean;
  /** How clients are notified of events; false for not at all. */
  push?: PushOptions | false;
}

/** An agent that runs: its operations, and how to stop it. */
export interface Runtime {
  readonly agent: AgentDescription;
  readonly operations: Operations;
  /** Turns that run and wait at this moment. */
  readonly activity: { running: number; queued: number };
  /** What a readiness check needs to know. */
  readonly health: RuntimeHealth;
  /** The public keys (a JSON Web Key Set) that verify notifications; absent when these are off. */
  readonly pushKeys?: { readonly keys: readonly object[] };
  pushHealth(): PushHealth;
  /** Gives running turns `graceMilliseconds` to end, then aborts them and journals them as interrupted. */
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}
