import { isInterrupted, isTerminal } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { Engine } from '../engine/engine.ts';
import { loadFold } from '../engine/task-fold.ts';
import type { Executor, Sink, Turn } from '../executors/executor.ts';
import { errorReason, type Log, noopLog } from '../log.ts';
import { type Owner, ownerFromKey } from '../owner.ts';
import { AgentPool, type ConnectedWorker, type OtherHosts } from './agent-pool.ts';
import { fenceIn, HostedTurn } from './hosted-turn.ts';
import { OfferedTurns } from './offered-turns.ts';
import type { EventBatch, Lease, Receipt } from './wire.ts';

/** The metadata of a message or request with which a sender limits how long it waits for a worker. */
export const WAIT_METADATA = 'urn:holdword:a2a:connect:v1';

export interface ConnectHostOptions {
  /** The store of the runtime whose executor this is. */
  readonly store: Store;
  readonly leaseMilliseconds: number;
  /** How long a task waits for a worker at most. */
  readonly waitMilliseconds: number;
  readonly log?: Log | undefined;
  /** Is told when an agent comes online or goes offline. */
  readonly onPresence?: ((agent: string, isOnline: boolean) => void) | undefined;
}

/** Questions whose worker is remembered, so that it learns if the task is canceled. */
const MOST_QUESTIONS = 10_000;

/**
 * Runs the turns of agents that have no address: workers pull them, wherever they are.
 *
 * The executor of one runtime for all agents of a host: an agent is a part of the owner of its tasks, so that nobody who may
 * see the tasks of one sees those of another (J9). Responsible for finding the pool of a turn, and for what workers report of
 * turns that this process does not have. Leaves HTTP to ConnectRoutes.
 */
export class ConnectHost implements Executor {
  readonly #options: ConnectHostOptions;
  readonly #log: Log;
  readonly #pools = new Map<string, AgentPool>();
  #sweeps: NodeJS.Timeout | undefined;
  /** Who asked the open question of a task. */
  readonly #askers = new Map<string, { agent: string; worker: string }>();
  #offered: OfferedTurns | undefined;

  constructor(options: ConnectHostOptions) {
    this.#options = options;
    this.#log = options.log ?? noopLog;
  }

  /** Workers can reach this host from now on, so that their silence says something. */
  serve(): void {
    this.#sweeps ??= setInterval(() => this.#sweep(), this.#options.leaseMilliseconds / 4).unref();
  }

  get leaseMilliseconds(): number {
    return this.#options.leaseMilliseconds;
  }

  /** Shares turns with the other processes that use the store, if it is one that several can use. */
  share({ holder, turns }: Pick<Engine, 'holder' | 'turns'>): void {
    const { store } = this.#options;
    if (!store.isShared) return;
    this.#offered = new OfferedTurns({
      store,
      holder,
      log: this.#log,
      freeSlots: (agent) => this.#pools.get(agent)?.freeSlots ?? 0,
      has: (agent, taskId) => this.#pools.get(agent)?.has(taskId) === true,
      takeOver: (header) =>
        turns.restart(header, { resumed: header.state === 'TASK_STATE_WORKING', force: true }),
    });
    for (const pool of this.#pools.values()) pool.offerWaiting();
  }

  execute(turn: Turn, sink: Sink): Promise<void> {
    return this.#run(turn, sink);
  }

  /** The checkpoint says who has the turn, if anybody. */
  resume(turn: Turn, sink: Sink): Promise<void> {
    return this.#run(turn, sink);
  }

  /** A task that waited for an answer was canceled: its worker may keep something for it. */
  release(taskId: string): void {
    const asker = this.#askers.get(taskId);
    this.#askers.delete(taskId);
    if (asker !== undefined) this.#pools.get(asker.agent)?.tell(asker.worker, { release: { taskId } });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeps);
    this.#offered?.close();
    for (const pool of this.#pools.values()) pool.close();
  }

  /** The workers and turns of an agent. */
  pool(agent: string): AgentPool {
    let pool = this.#pools.get(agent);
    if (pool === undefined) {
      const { leaseMilliseconds, onPresence } = this.#options;
      pool = new AgentPool({
        agent,
        leaseMilliseconds,
        log: this.#log,
        onPresence: onPresence && ((isOnline) => onPresence(agent, isOnline)),
        others: this.#options.store.isShared ? this.#othersOf(agent) : undefined,
      });
      this.#pools.set(agent, pool);
    }
    return pool;
  }

  #othersOf(agent: string): OtherHosts {
    return {
      offer: (turn) => this.#offered?.offer(agent, turn),
      withdraw: async (turn) => (await this.#offered?.withdraw(turn)) ?? true,
      forget: (turn) => this.#offered?.forget(turn),
    };
  }

  /** Stores what a worker reports of a turn. */
  async receive(agent: string, worker: ConnectedWorker, batch: EventBatch): Promise<Receipt> {
    const { taskId, fence } = batch;
    try {
      const receipt = await this.pool(agent).receive(worker, batch);
      if (receipt !== undefined) {
        if (batch.events.some((event) => 'ask' in event)) this.#rememberAsker(agent, worker, taskId);
        return receipt;
      }
      return { taskId, fence, outcome: await this.outcomeOf(agent, batch) };
    } catch (error) {
      this.#log.warn('Events of a worker could not be stored. It sends them again.', {
        agent,
        taskId,
        error: errorReason(error),
      });
      return { taskId, fence, outcome: 'later' };
    }
  }

  #rememberAsker(agent: string, { id }: ConnectedWorker, taskId: string): void {
    this.#askers.set(taskId, { agent, worker: id });
    const [oldest] = this.#askers.keys();
    if (oldest !== undefined && this.#askers.size > MOST_QUESTIONS) this.#askers.delete(oldest);
  }

  async #run(turn: Turn, sink: Sink): Promise<void> {
    const { agent, tenant } = splitTenant(turn.owner.tenant);
    const { caller, authenticated } = turn.owner;
    const hosted = new HostedTurn(turn, sink, {
      owner: { tenant, caller, authenticated },
      waitMilliseconds: this.#waitOf(turn),
      readTask: async () => (await loadFold(this.#options.store, turn.taskId))?.toTask(),
    });
    const pool = this.pool(agent);
    const abort = (): void => pool.abort(hosted, abortReason(turn.signal));
    turn.signal.addEventListener('abort', abort, { once: true });
    try {
      pool.add(hosted);
      if (turn.signal.aborted) abort();
      await hosted.done;
    } finally {
      turn.signal.removeEventListener('abort', abort);
      pool.remove(hosted);
      if (pool.isIdle) this.#pools.delete(agent);
    }
  }

  /**
   * What became of a lease that this process does not know, as the journal has it: a server that is stopping, or has not taken
   * over all tasks yet, must not tell workers to drop their turns.
   */
  async outcomeOf(agent: string, { taskId, fence }: Lease): Promise<'ended' | 'stale' | 'later'> {
    // Another worker has the turn, or will get it.
    if (this.pool(agent).has(taskId)) return 'stale';
    const { store } = this.#options;
    const header = await store.readTask(taskId);
    if (header === undefined || agentIn(ownerFromKey(header.owner).tenant) !== agent) return 'stale';
    const fold = await loadFold(store, taskId);
    if (fold === undefined || fenceIn(fold.request.checkpoint) !== fence) return 'stale';
    const { state } = fold.status;
    if (isTerminal(state) || isInterrupted(state)) return 'ended';
    // Its worker has come here, so no other host can continue it.
    await this.#offered?.take(taskId).catch((error: unknown) =>
      this.#log.warn('A turn could not be taken over from another host. Its worker asks again.', {
        agent,
        taskId,
        error: errorReason(error),
      }),
    );
    return 'later';
  }

  /** The shorter of what the host and the sender allow. */
  #waitOf({ message, metadata }: Turn): number {
    const asked = message.metadata?.[WAIT_METADATA] ?? metadata[WAIT_METADATA];
    const seconds = (asked as { waitSeconds?: unknown } | null | undefined)?.waitSeconds;
    const { waitMilliseconds } = this.#options;
    return typeof seconds === 'number' && seconds >= 0
      ? Math.min(seconds * 1000, waitMilliseconds)
      : waitMilliseconds;
  }

  #sweep(): void {
    for (const [agent, pool] of this.#pools) {
      pool.sweep();
      if (pool.isIdle) this.#pools.delete(agent);
    }
  }
}

/** The owner of a task of this agent, for the store. An agent's name contains no slash. */
export function ownerAt(agent: string, owner: Owner): Owner {
  return { ...owner, tenant: `${agent}/${owner.tenant}` };
}

/** The agent that the tenant of an owner in the store begins with. */
export function agentIn(tenant: string): string {
  return splitTenant(tenant).agent;
}

/** The agent, and the tenant that its caller named. */
function splitTenant(tenant: string): { agent: string; tenant: string } {
  const slash = tenant.indexOf('/');
  return { agent: tenant.slice(0, slash), tenant: tenant.slice(slash + 1) };
}

/** Why the engine has aborted a turn. */
function abortReason({ reason }: AbortSignal): 'canceled' | 'stopped' | 'lost' {
  return (reason as { reason: 'canceled' | 'stopped' | 'lost' }).reason;
}
