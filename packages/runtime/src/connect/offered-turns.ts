import { isInterrupted, isTerminal } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { errorReason, type Log } from '../log.ts';
import type { HostedTurn } from './hosted-turn.ts';

/** What the turns of a process have to do with those of others. */
export interface OfferedTurnsOptions {
  readonly store: Store;
  /** This process, as the store identifies it. */
  readonly holder: string;
  readonly log: Log;
  /** How many more turns of the agent the workers of this process could take. */
  readonly freeSlots: (agent: string) => number;
  /** Whether a turn of the task is here already. */
  readonly has: (agent: string, taskId: string) => boolean;
  /** Runs the turn here from now on, whoever has the task. */
  readonly takeOver: (header: TaskHeader) => Promise<void>;
}

const NAMESPACE = 'offered-turns';
const TICK_MILLISECONDS = 200;
const PAGE = 200;
/** Offers that are looked at in each tick, whether another process took the turn and died before it had it. */
const CHECKED = 20;

/** A turn that waits at `holder`, and the process that is taking it, if one is. */
const offerSchema = z.object({ holder: z.string(), taker: z.string().optional() });

/** A turn that waits here and may be taken by another process. */
interface Offer {
  readonly agent: string;
  readonly turn: HostedTurn;
  readonly stored: Promise<void>;
}

/**
 * The turns that wait at one of several hosts with one store, for the hosts where a worker is free.
 *
 * Responsible for one taker: a process claims an offer by replacing its record, and the process that has the turn gives it to
 * a worker of its own only after it has deleted the record. Leaves the lease of the task to the engine.
 */
export class OfferedTurns {
  readonly #options: OfferedTurnsOptions;
  readonly #offered: string;
  readonly #claimed: string;
  readonly #offers = new Map<string, Offer>();
  readonly #taking = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #after: string | undefined;
  #isBusy = false;
  #isClosed = false;

  constructor(options: OfferedTurnsOptions) {
    this.#options = options;
    const { holder } = options;
    this.#offered = JSON.stringify({ holder });
    this.#claimed = holder;
    this.#timer = setInterval(() => void this.#tick(), TICK_MILLISECONDS).unref();
  }

  /** Stops taking turns. Offers stay: the tasks are those of the next process. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** The turn waits for a worker. */
  offer(agent: string, turn: HostedTurn): void {
    if (this.#isClosed || this.#offers.has(turn.taskId)) return;
    const stored = this.#guarded(turn.taskId, () => this.#put(agent, turn.taskId));
    this.#offers.set(turn.taskId, { agent, turn, stored });
  }

  /** The turn waits no longer. Returns false if another process is taking it. Rejects if the store does not answer. */
  async withdraw({ taskId }: HostedTurn): Promise<boolean> {
    const offer = this.#offers.get(taskId);
    if (offer === undefined) return true;
    await offer.stored;
    const key = keyOf(offer.agent, taskId);
    const { store } = this.#options;
    // A record that is not there was never stored, or was taken by a process that is done with it.
    const isFree =
      (await store.deleteRecord(NAMESPACE, key, this.#offered)) ||
      (await store.getRecord(NAMESPACE, key)) === undefined;
    if (isFree) this.#offers.delete(taskId);
    return isFree;
  }

  /** The turn is over here, or another process has it. */
  forget({ taskId }: HostedTurn): void {
    const offer = this.#offers.get(taskId);
    if (offer === undefined) return;
    this.#offers.delete(taskId);
    void this.#guarded(taskId, async () => {
      await offer.stored;
      await this.#options.store.deleteRecord(NAMESPACE, keyOf(offer.agent, taskId), this.#offered);
    });
  }

  /** Takes over a task whose turn a worker of this process has. */
  async take(taskId: string): Promise<void> {
    if (this.#isClosed || this.#taking.has(taskId)) return;
    this.#taking.add(taskId);
    try {
      const header = await this.#options.store.readTask(taskId);
      if (header !== undefined && !isTerminal(header.state) && !isInterrupted(header.state))
        await this.#options.takeOver(header);
    } finally {
      this.#taking.delete(taskId);
    }
  }

  async #tick(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#check();
      await this.#claimSome();
    } catch (error) {
      this.#options.log.warn('Turns that wait at other hosts could not be read.', {
        error: errorReason(error),
      });
    } finally {
      this.#isBusy = false;
    }
  }

  /** Offers again what another process claimed and did not take. */
  async #check(): Promise<void> {
    const { store } = this.#options;
    for (const [taskId, offer] of [...this.#offers].slice(0, CHECKED)) {
      await offer.stored;
      const record = await store.getRecord(NAMESPACE, keyOf(offer.agent, taskId));
      const taker = record === undefined ? undefined : offerSchema.parse(JSON.parse(record)).taker;
      if (this.#offers.get(taskId) !== offer) continue;
      // Last, so that the others are looked at in the next tick.
      this.#offers.delete(taskId);
      this.#offers.set(taskId, offer);
      if (record === undefined || (taker !== undefined && !(await store.isAlive(taker))))
        await store.replaceRecord(NAMESPACE, keyOf(offer.agent, taskId), record, this.#offered);
      else if (taker !== undefined) continue;
      if (offer.turn.isClaimed) offer.turn.unclaim();
    }
  }

  async #claimSome(): Promise<void> {
    const { store, freeSlots, has } = this.#options;
    const after = this.#after;
    const page = await store.listRecords(NAMESPACE, '', {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    this.#after = page.length < PAGE ? undefined : page.at(-1)?.key;
    const room = new Map<string, number>();
    for (const { key, value } of page) {
      const { holder, taker } = offerSchema.parse(JSON.parse(value));
      const [agent = '', taskId = ''] = key.split('/');
      const free = room.get(agent) ?? freeSlots(agent);
      if (this.#isClosed || free <= 0 || taker !== undefined || holder === this.#options.holder) continue;
      if (has(agent, taskId)) continue;
      room.set(agent, free - 1);
      await this.#claim(key, taskId, value, holder);
    }
  }

  async #claim(key: string, taskId: string, value: string, holder: string): Promise<void> {
    const { store } = this.#options;
    if ((await store.readHolder(taskId)) !== holder) {
      // Its process has left the record behind.
      await store.deleteRecord(NAMESPACE, key, value);
      return;
    }
    const claim = JSON.stringify({ holder, taker: this.#claimed });
    if (!(await store.replaceRecord(NAMESPACE, key, value, claim))) return;
    await this.#guarded(taskId, () => this.take(taskId));
    await store.deleteRecord(NAMESPACE, key, claim);
  }

  #put(agent: string, taskId: string): Promise<void> {
    return this.#options.store.putRecord(NAMESPACE, keyOf(agent, taskId), this.#offered);
  }

  /** Never rejects: what could not be done is done by a later tick. */
  async #guarded(taskId: string, action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#options.log.warn('A turn could not be moved between hosts. It is tried again.', {
        taskId,
        error: errorReason(error),
      });
    }
  }
}

/** The name of an agent contains no slash. */
function keyOf(agent: string, taskId: string): string {
  return `${agent}/${taskId}`;
}
