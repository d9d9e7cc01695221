import { A2AError } from '@parley/protocol';
import { LIMIT_METADATA } from '../observe/watched-call.ts';

export interface TurnTicket {
  /** The turn may run at once. */
  readonly startsNow: boolean;
  /** Resolves when the turn may run, or when the ticket was given back before that. */
  readonly ready: Promise<void>;
  /** Gives the place back, whether the turn ran or not. Harmless when repeated. */
  leave(): void;
}

interface Waiting {
  context: string;
  start: () => void;
}

/**
 * Lets turns run: never two of one context, no more than a number in all, first come first served within a context
 * (J10). Beyond the cap turns wait; beyond the queue's length they are refused.
 */
export class TurnQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #busyContexts = new Set<string>();
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
  enter(context: string, options: { alreadyAccepted?: boolean } = {}): TurnTicket {
    if (this.#mayRun(context)) {
      this.#occupy(context);
      return { startsNow: true, ready: Promise.resolve(), leave: once(() => this.#leave(context)) };
    }
    if (this.#waiting.size >= this.#maxQueued && options.alreadyAccepted !== true) {
      throw new A2AError(
        'RESOURCE_EXHAUSTED',
        `The agent is busy: ${this.#running} turns run and ${this.#waiting.size} wait. Send the message again later.`,
        { retryAfterSeconds: 1, metadata: { [LIMIT_METADATA]: 'queuedTurns' } },
      );
    }
    return this.#wait(context);
  }

  #wait(context: string): TurnTicket {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { context, start: resolve };
    this.#waiting.add(waiting);
    const leave = once(() => {
      if (this.#waiting.delete(waiting)) resolve();
      else this.#leave(context);
    });
    return { startsNow: false, ready: promise, leave };
  }

  #mayRun(context: string): boolean {
    return this.#running < this.#maxRunning && !this.#busyContexts.has(context);
  }

  #occupy(context: string): void {
    this.#running += 1;
    this.#busyContexts.add(context);
  }

  #leave(context: string): void {
    this.#running -= 1;
    this.#busyContexts.delete(context);
    for (const waiting of this.#waiting) {
      if (this.#running >= this.#maxRunning) return;
      if (!this.#mayRun(waiting.context)) continue;
      this.#waiting.delete(waiting);
      this.#occupy(waiting.context);
      waiting.start();
    }
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
