import { A2AError } from '@holdword/protocol';
import { LIMIT_METADATA } from '../observe/request-observation.ts';
import { RotatingMap } from './rotating-map.ts';

export interface TurnTicket {
  /** The turn may run at once. */
  readonly startsNow: boolean;
  /** Resolves when the turn may run, or when the ticket was given back before that. */
  readonly ready: Promise<void>;
  /** Gives the place back, whether the turn ran or not. Harmless when repeated. */
  release(): void;
}

/** Turns that share a number of places, for example those of one caller. */
export interface TurnGroup {
  readonly name: string;
  /** Turns of the group that run at once. Ten times as many may wait. */
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
/** The same for all that need not wait. */
const AT_ONCE = Promise.resolve();

/**
 * Lets turns run: never two of one context, no more than a number in all and in each group, first come first served
 * within a context (J10). Beyond the cap turns wait; beyond the queue's length they are refused. A group that waits holds
 * no place that others could use.
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

  /** Work that was accepted before, by an earlier process, is never refused. */
  enter(
    context: string,
    options: { alreadyAccepted?: boolean; group?: TurnGroup | undefined } = {},
  ): TurnTicket {
    const entry: Entry = { context, group: options.group };
    if (this.#mayRun(entry)) {
      this.#occupy(entry);
      return { startsNow: true, ready: AT_ONCE, release: once(() => this.#release(entry)) };
    }
    if (options.alreadyAccepted !== true) this.#refuseWhenFull(options.group);
    return this.#wait(entry);
  }

  #refuseWhenFull(group: TurnGroup | undefined): void {
    if (this.#waiting.size >= this.#maxQueued) {
      throw new A2AError(
        'RESOURCE_EXHAUSTED',
        `The agent is busy: ${this.#running} turns run and ${this.#waiting.size} wait. Send the message again later.`,
        { retryAfterSeconds: 1, metadata: { [LIMIT_METADATA]: 'queuedTurns' } },
      );
    }
    if (group === undefined) return;
    const waiting = this.#waitingOfGroup.get(group.name) ?? 0;
    if (waiting < group.maxRunning * WAITING_FOR_EACH_RUNNING) return;
    throw new A2AError(
      'RESOURCE_EXHAUSTED',
      `Expected at most ${group.maxRunning} turns of this caller at once and ${waiting} that wait, found one more. ` +
        'Send the message again when one has ended.',
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

  /** False for one that did not wait any more. */
  #dequeue(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    addToCount(this.#waitingOfGroup, waiting.group, -1);
    return true;
  }
}

/** Groups that have none are not in the map. */
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
