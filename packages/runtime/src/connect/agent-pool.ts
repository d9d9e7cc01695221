import { Timer } from '@holdword/protocol/internal';
import type { Log } from '../log.ts';
import { errorReason } from '../log.ts';
import { RotatingMap } from '../rotating-map.ts';
import type { HostedTurn } from './hosted-turn.ts';
import type { EventBatch, HeldTurn, Hello, Lease, News, Receipt, WorkerState } from './wire.ts';

export interface AgentPoolOptions {
  readonly agent: string;
  /** A worker that is silent for longer has lost its turns. */
  readonly leaseMilliseconds: number;
  readonly log: Log;
  /** Is told when the first worker has come and when the last one has left. */
  readonly onPresence?: ((isOnline: boolean) => void) | undefined;
  /** The other hosts that share the store, if there may be some. */
  readonly others?: OtherHosts | undefined;
}

/** Hosts that may take a turn which waits here. */
export interface OtherHosts {
  offer(turn: HostedTurn): void;
  /** Returns false if another host is taking the turn. */
  withdraw(turn: HostedTurn): Promise<boolean>;
  forget(turn: HostedTurn): void;
}

/** Where a worker listens for news. */
export type NewsListener = (news: readonly News[]) => void;

/** A worker as its host knows it: a process that runs turns of one agent. */
export interface ConnectedWorker {
  readonly id: string;
  slots: number;
  resumes: boolean;
  affinity: boolean;
  /** How many more turns it may get. */
  remaining: number;
  /** By the clock of this process. */
  lastSeen: number;
  /** False if it is known only from the journal, because the host has restarted since. */
  isConnected: boolean;
  readonly turns: Map<string, HostedTurn>;
  listener: NewsListener | undefined;
  /** Since when it is connected, in milliseconds since the epoch. */
  since: number;
}

/** Contexts whose last worker is remembered. */
const MOST_CONTEXTS = 10_000;
/** A host whose own process stood still has heard of nobody meanwhile, which says nothing about the workers. */
const STANDSTILL_FACTOR = 2;

/**
 * The workers of one agent, and the turns that wait for one of them.
 *
 * Responsible for giving each turn to one worker with a free slot, first come first served, and for the turns of workers that
 * have left: silence beyond the lease ends a worker's claim, never a closed connection. Leaves the order within a context to
 * the engine, which runs one turn of a context at a time (J10), and what is stored to HostedTurn.
 */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  readonly #workers = new Map<string, ConnectedWorker>();
  readonly #turns = new RotatingMap<string, HostedTurn>();
  readonly #waiting = new Set<HostedTurn>();
  readonly #deadlines = new Map<HostedTurn, Timer>();
  #workerOfContext = new Map<string, string>();
  #sweptAt = performance.now();

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** The workers that are connected. */
  get workers(): readonly ConnectedWorker[] {
    return [...this.#workers.values()].filter(({ isConnected }) => isConnected);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#turns.size - this.#waiting.size;
  }

  /** How many more turns the workers could take. */
  get freeSlots(): number {
    return this.#waiting.size > 0
      ? 0
      : this.workers.filter(isFree).reduce((sum, worker) => sum + freeSlots(worker), 0);
  }

  /** Nobody is connected and nothing waits. */
  get isIdle(): boolean {
    return this.#workers.size === 0 && this.#turns.size === 0;
  }

  /** Offers the turns that wait to other hosts, which have become known. */
  offerWaiting(): void {
    for (const turn of this.#waiting) this.#options.others?.offer(turn);
  }

  /** Takes over a turn: it waits for a worker, or for the one that had it when the host restarted. */
  add(turn: HostedTurn): void {
    this.#turns.set(turn.taskId, turn);
    const { worker } = turn;
    if (worker !== undefined) this.#workerBefore(worker).turns.set(turn.taskId, turn);
    else if (this.#waits(turn)) {
      const { agent } = this.#options;
      const isOffline = this.workers.length === 0;
      turn.announceWait(isOffline ? `Agent ${agent} is offline.` : `All workers of agent ${agent} are busy.`);
    }
  }

  /** The turn is over, or no longer the business of this process. */
  remove(turn: HostedTurn): void {
    if (this.#turns.get(turn.taskId) === turn) this.#turns.delete(turn.taskId);
    this.#stopWaiting(turn);
    this.#options.others?.forget(turn);
    const worker = turn.worker === undefined ? undefined : this.#workers.get(turn.worker);
    if (worker?.turns.get(turn.taskId) !== turn) return;
    worker.turns.delete(turn.taskId);
    this.#pump();
  }

  /** The engine has aborted the turn: its worker is told, and has the last word, unless the host itself lets go of it. */
  abort(turn: HostedTurn, reason: 'canceled' | 'stopped' | 'lost'): void {
    const { fence, worker, taskId } = turn;
    if (reason !== 'canceled' || worker === undefined) {
      turn.finish();
      return;
    }
    if (fence !== undefined) this.tell(worker, { abort: { taskId, fence, reason } });
  }

  hello({ worker: id, slots, resumes, affinity = false, once = false }: Hello): ConnectedWorker {
    const worker = this.#workerBefore(id);
    const remaining = worker.isConnected ? worker.remaining : once ? 1 - worker.turns.size : Infinity;
    const isFirst = this.workers.length === 0;
    const { isConnected, since } = worker;
    Object.assign(worker, { slots, resumes, affinity, remaining, isConnected: true });
    worker.since = isConnected ? since : Date.now();
    worker.lastSeen = performance.now();
    if (isFirst) this.#options.onPresence?.(true);
    this.#pump();
    return worker;
  }

  /** The worker, which is alive. Undefined if it has to say hello first. */
  seen({ worker: id, slots }: Pick<WorkerState, 'worker' | 'slots'>): ConnectedWorker | undefined {
    const worker = this.#workers.get(id);
    if (worker === undefined || !worker.isConnected) return undefined;
    worker.lastSeen = performance.now();
    worker.slots = slots;
    this.#pump();
    return worker;
  }

  /** The worker listens from now on, and can be given turns. */
  listen(worker: ConnectedWorker, listener: NewsListener): void {
    worker.listener = listener;
    this.#pump();
  }

  /** What a worker does not know yet, judging by what it says it has: a message that got lost is repeated this way. */
  newsFor(worker: ConnectedWorker, holds: readonly HeldTurn[]): News[] {
    const held = new Map(holds.map((each) => [each.taskId, each]));
    const news: News[] = [];
    for (const turn of worker.turns.values()) {
      const { taskId, fence } = turn;
      if (fence === undefined || turn.isOver) continue;
      const known = held.get(taskId);
      if (known?.fence !== fence) {
        // It has never heard of a turn that was canceled on the way.
        if (turn.isAborted) turn.finish();
        else news.push({ turn: turn.toWire() });
      } else if (turn.isAborted && known.aborted !== true) {
        news.push({ abort: { taskId, fence, reason: 'canceled' } });
      }
    }
    return news;
  }

  /** The turns that a worker says it has, and that it does not have here. */
  unknownOf(worker: ConnectedWorker, holds: readonly HeldTurn[]): HeldTurn[] {
    return holds.filter((lease) => this.held(worker, lease) === undefined);
  }

  /** The turn that this worker has. */
  held(worker: ConnectedWorker, { taskId, fence }: Lease): HostedTurn | undefined {
    const turn = worker.turns.get(taskId);
    return turn?.fence === fence ? turn : undefined;
  }

  /** Whether a turn of the task runs or waits here. */
  has(taskId: string): boolean {
    return this.#turns.has(taskId);
  }

  /** Undefined if this process does not have the turn under this lease. Rejects if it cannot be stored. */
  async receive(worker: ConnectedWorker, batch: EventBatch): Promise<Receipt | undefined> {
    const turn = this.held(worker, batch);
    const received = await turn?.receive(batch);
    if (turn === undefined || received === undefined) return undefined;
    const { receipt, end } = received;
    if (end === undefined || turn.isOver) return receipt;
    const { how } = end;
    // First: the same worker may get the turn again.
    worker.turns.delete(turn.taskId);
    if (turn.isAborted || how === 'returned' || how === 'failed') turn.finish();
    else if (how === 'retry') await turn.retry(end);
    else
      await this.#takeBack(worker, turn, 'the worker gave the turn back.', {
        isUntouched: how === 'untouched',
      });
    this.#pump();
    return receipt;
  }

  /** The worker has left for good: nothing waits for it. */
  leave(id: string): void {
    const worker = this.#workers.get(id);
    if (worker !== undefined) this.#lose(worker, 'the worker has left.');
  }

  /** Notices workers that are silent. To be called at least four times per lease. */
  sweep(now = performance.now()): void {
    const { leaseMilliseconds } = this.#options;
    const pause = now - this.#sweptAt;
    this.#sweptAt = now;
    const stoodStill = pause > (leaseMilliseconds / 4) * STANDSTILL_FACTOR;
    for (const worker of this.#workers.values()) {
      if (stoodStill) worker.lastSeen = Math.min(now, worker.lastSeen + pause);
      const silence = now - worker.lastSeen;
      if (silence <= leaseMilliseconds) continue;
      const seconds = Math.round(silence / 1000);
      this.#options.log.warn('A worker is silent. Its turns are taken from it.', {
        agent: this.#options.agent,
        worker: worker.id,
        turns: worker.turns.size,
        seconds,
      });
      this.#lose(worker, `its worker has been silent for ${seconds} s.`);
    }
  }

  /** The server stops. The turns stay as they are: their workers go on, and report to the next server. */
  close(): void {
    for (const timer of this.#deadlines.values()) timer[Symbol.dispose]();
    this.#deadlines.clear();
  }

  /** Gives the turn to a worker, or lets it wait for one. Returns whether it waits. */
  #waits(turn: HostedTurn): boolean {
    this.#waiting.add(turn);
    this.#pump();
    if (!this.#waiting.has(turn)) return false;
    this.#options.others?.offer(turn);
    this.#deadlines.set(turn, new Timer(turn.deadline - Date.now(), () => this.#expire(turn)));
    return true;
  }

  #expire(turn: HostedTurn): void {
    this.#stopWaiting(turn);
    const seconds = Math.round((turn.deadline - turn.since) / 1000);
    const found = turn.isBegun ? 'the one that had begun the turn is gone' : 'nothing was done';
    const text =
      `No worker of agent ${this.#options.agent} was free within ${seconds} s, and ${found}. ` +
      'Send the message again with a new message ID.';
    turn.fail(text, 'no-worker').catch((error: unknown) => this.#ignore(turn, error));
  }

  #stopWaiting(turn: HostedTurn): void {
    this.#waiting.delete(turn);
    this.#deadlines.get(turn)?.[Symbol.dispose]();
    this.#deadlines.delete(turn);
  }

  /** Gives waiting turns to workers with free slots. */
  #pump(): void {
    for (const turn of this.#waiting) {
      const free = this.workers.filter(isFree);
      if (free.length === 0) return;
      if (turn.isClaimed) continue;
      const worker = this.#choose(turn, free);
      if (worker === undefined) continue;
      this.#stopWaiting(turn);
      void this.#give(turn, worker);
    }
  }

  /** The worker that knows the context, if it wants that, otherwise the one with the most free slots. */
  #choose(turn: HostedTurn, free: readonly ConnectedWorker[]): ConnectedWorker | undefined {
    const last = this.#workers.get(this.#workerOfContext.get(contextOf(turn)) ?? '');
    if (last?.isConnected === true && last.affinity && last.slots > 0 && (last.resumes || !turn.isBegun))
      return free.includes(last) ? last : undefined;
    const able = turn.isBegun ? free.filter(({ resumes }) => resumes) : free;
    return able.toSorted((one, other) => freeSlots(other) - freeSlots(one))[0];
  }

  async #give(turn: HostedTurn, worker: ConnectedWorker): Promise<void> {
    worker.turns.set(turn.taskId, turn);
    worker.remaining -= 1;
    if (worker.affinity) this.#remember(contextOf(turn), worker.id);
    try {
      if (!(await (this.#options.others?.withdraw(turn) ?? true))) {
        worker.turns.delete(turn.taskId);
        worker.remaining += 1;
        turn.claim(() => this.#pump());
        if (!turn.isOver) this.#waits(turn);
        return;
      }
      await turn.give(worker.id, worker);
      if (turn.isAborted) turn.finish();
      else if (this.#workers.get(worker.id) === worker) this.tell(worker.id, { turn: turn.toWire() });
      else await this.#takeBack(worker, turn, 'the worker has left.', { isUntouched: true });
    } catch (error) {
      worker.turns.delete(turn.taskId);
      this.#ignore(turn, error);
    }
  }

  async #takeBack(
    worker: ConnectedWorker,
    turn: HostedTurn,
    why: string,
    options: { isUntouched?: boolean } = {},
  ): Promise<void> {
    worker.turns.delete(turn.taskId);
    if (await turn.takeBack(why, options)) this.#waits(turn);
  }

  #lose(worker: ConnectedWorker, why: string): void {
    this.#workers.delete(worker.id);
    const turns = [...worker.turns.values()];
    for (const turn of turns) {
      // One that is not stored yet is taken back by the code that stores it.
      if (turn.fence === undefined) continue;
      this.#takeBack(worker, turn, why).catch((error: unknown) => this.#ignore(turn, error));
    }
    worker.listener?.([]);
    if (worker.isConnected && this.workers.length === 0) this.#options.onPresence?.(false);
  }

  /** This process cannot write the task any more; its engine has noticed, and the next holder continues from the journal. */
  #ignore(turn: HostedTurn, error: unknown): void {
    this.#options.log.warn('A turn of a connected agent could not be written here.', {
      agent: this.#options.agent,
      taskId: turn.taskId,
      error: errorReason(error),
    });
    turn.finish();
  }

  /** Says something to a worker, if it listens. */
  tell(id: string, news: News): void {
    this.#workers.get(id)?.listener?.([news]);
  }

  #remember(context: string, worker: string): void {
    if (this.#workerOfContext.size >= MOST_CONTEXTS) this.#workerOfContext = new Map();
    this.#workerOfContext.set(context, worker);
  }

  /** A worker of this id, which need not have said hello to this process. */
  #workerBefore(id: string): ConnectedWorker {
    let worker = this.#workers.get(id);
    if (worker === undefined) {
      worker = {
        id,
        slots: 0,
        resumes: false,
        affinity: false,
        remaining: 0,
        lastSeen: performance.now(),
        isConnected: false,
        turns: new Map(),
        listener: undefined,
        since: 0,
      };
      this.#workers.set(id, worker);
    }
    return worker;
  }
}

function freeSlots({ slots, turns, remaining }: ConnectedWorker): number {
  return Math.min(slots - turns.size, remaining);
}

/** One that does not listen may be dead, and a turn that was given to it would be lost with it. */
function isFree(worker: ConnectedWorker): boolean {
  return worker.listener !== undefined && freeSlots(worker) > 0;
}

function contextOf({ turn }: HostedTurn): string {
  return `${turn.owner.tenant}\n${turn.owner.caller}\n${turn.contextId}`;
}
