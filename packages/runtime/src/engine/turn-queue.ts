import { A2AError } from '@holdword/protocol';
import { LIMIT_METADATA } from '../observe/observer.ts';
import { RotatingMap } from './rotating-map.ts';

export interface TurnTicket {
  /** The turn may run immediately. */
  readonly startsNow: boolean;
  /** Resolves when the turn may run, or when the ticket was released before that. */
  readonly ready: Promise<void>;
  /** Releases the slot, or leaves the queue if the turn is still waiting. Can be called again without effect. */
  release(): void;
}

/** Turns that share a number of slots, for example those of one caller. */
export interface TurnGroup {
  readonly name: string;
  /** How many turns of the group run at the same time. Ten times as many may wait. */
  readonly maxRunning: number;
}

interface Entry {
  context: string;
  group: TurnGroup | undefined;
}

interface Waiting extends Entry {
  start: () => void;
}

const WAITING_FOR_EACH_RUNNING = 10;
/** Shared by all turns that need not wait. */
const AT_ONCE = Promise.resolve();

/**
 * Schedules turns: never two of one context, up to a maximum in total and per group, first come first served within a
 * context (J10). Beyond the maximum, turns wait; beyond the length of the queue, they are rejected. A group that waits
 * occupies no slot that others could use.
 */
export class TurnQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #busyContexts = new RotatingMap<string, true>();
  readonly #runningOfGroup = new Map<string, number>();
  readonly #waitingOfGroup = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(options: { maxRunning: number; maxQueued: number }) {
    this.#maxRunning = options.maxRunning;
    this.#maxQueued = options.maxQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /** Work that an earlier process has already accepted is never rejected. */
  enter(
    context: string,
    options: { alreadyAccepted?: boolean; group?: TurnGroup | undefined } = {},
  ): TurnTicket {
    const entry: Entry = { context, group: options.group };
    if (this.#mayRun(entry)) {
      this.#occupy(entry);
      return { startsNow: true, ready: AT_ONCE, release: once(() => this.#release(entry)) };
    }
    if (options.alreadyAccepted !== true) this.#rejectWhenFull(options.group);
    return this.#wait(entry);
  }

  #rejectWhenFull(group: TurnGroup | undefined): void {
    if (this.#waiting.size >= this.#maxQueued) {
      throw new A2AError(
        'RESOURCE_EXHAUSTED',
        `The agent is busy: ${this.#running} turns are running and ${this.#waiting.size} are queued. Retry later.`,
        { retryAfterSeconds: 1, metadata: { [LIMIT_METADATA]: 'queuedTurns' } },
      );
    }
    if (group === undefined) return;
    const waiting = this.#waitingOfGroup.get(group.name) ?? 0;
    if (waiting < group.maxRunning * WAITING_FOR_EACH_RUNNING) return;
    throw new A2AError(
      'RESOURCE_EXHAUSTED',
      `Too many concurrent turns: this caller may run ${group.maxRunning} at a time, and ${waiting} more are queued. ` +
        'Retry when one has ended.',
      { retryAfterSeconds: 1, metadata: { [LIMIT_METADATA]: 'concurrentTurns' } },
    );
  }

  #wait(entry: Entry): TurnTicket {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { ...entry, start: resolve };
    this.#waiting.add(waiting);
    addToCount(this.#waitingOfGroup, entry.group, 1);
    const release = once(() => {
      if (this.#dequeue(waiting)) resolve();
      else this.#release(entry);
    });
    return { startsNow: false, ready: promise, release };
  }

  #mayRun({ context, group }: Entry): boolean {
    if (this.#running >= this.#maxRunning || this.#busyContexts.has(context)) return false;
    return group === undefined || (this.#runningOfGroup.get(group.name) ?? 0) < group.maxRunning;
  }

  #occupy({ context, group }: Entry): void {
    this.#running += 1;
    this.#busyContexts.set(context, true);
    addToCount(this.#runningOfGroup, group, 1);
  }

  #release({ context, group }: Entry): void {
    this.#running -= 1;
    this.#busyContexts.delete(context);
    addToCount(this.#runningOfGroup, group, -1);
    for (const waiting of this.#waiting) {
      if (this.#running >= this.#maxRunning) return;
      if (!this.#mayRun(waiting)) continue;
      this.#dequeue(waiting);
      this.#occupy(waiting);
      waiting.start();
    }
  }

  /** Returns false if it was no longer waiting. */
  #dequeue(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    addToCount(this.#waitingOfGroup, waiting.group, -1);
    return true;
  }
}

/** Groups without turns are not in the map. */
function addToCount(counts: Map<string, number>, group: TurnGroup | undefined, change: number): void {
  if (group === undefined) return;
  const count = (counts.get(group.name) ?? 0) + change;
  if (count === 0) counts.delete(group.name);
  else counts.set(group.name, count);
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
