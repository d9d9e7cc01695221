import type { A2AError } from '@holdword/protocol';
import { limitExceeded } from '../caller-limits.ts';
import { FairShare, FairSlots, type Slot } from '../fair-slots.ts';

/** A turn's slot, or its place in the queue. */
export type TurnTicket = Slot;

/** Turns that share a number of slots, for example those of one caller. */
export interface TurnGroup {
  readonly name: string;
  /** How many turns of the group run at the same time. Ten times as many may wait. */
  readonly maxRunning: number;
}

export interface TurnQueueOptions {
  maxRunning: number;
  maxQueued: number;
  /** How much of both is kept for callers who use little of it. */
  reservedPercent: number;
}

interface EnterOptions {
  /** Whose turn it is. If undefined, as for anonymous callers, it may use every slot. */
  caller?: string | undefined;
  /** Work that an earlier process has already accepted is never rejected. */
  alreadyAccepted?: boolean;
  group?: TurnGroup | undefined;
}

const WAITING_FOR_EACH_RUNNING = 10;

/**
 * Schedules turns: never two of one context, up to a maximum in total and per group, first come first served within a
 * context (J10), and the callers in turn. Beyond the maximum, turns wait; beyond the length of the queue, they are
 * rejected. Of both a part is kept for callers who use little: long turns of one caller keep nobody else out.
 */
export class TurnQueue {
  readonly #slots: FairSlots;
  readonly #queue: FairShare;

  constructor({ maxRunning, maxQueued, reservedPercent }: TurnQueueOptions) {
    this.#slots = new FairSlots({ total: maxRunning, reservedPercent, perLane: 1 });
    this.#queue = new FairShare(maxQueued, reservedPercent);
  }

  get running(): number {
    return this.#slots.running;
  }

  get queued(): number {
    return this.#slots.waiting;
  }

  /** How many callers have turns here, and the most that one of them has. */
  get callers(): FairSlots['callers'] {
    return this.#slots.callers;
  }

  enter(context: string, { caller, group, alreadyAccepted = false }: EnterOptions = {}): TurnTicket {
    const request = { caller: group?.name ?? caller, lane: context, maxOfCaller: group?.maxRunning };
    if (!alreadyAccepted && !this.#slots.isFree(request)) this.#rejectWhenFull(request.caller, group);
    return this.#slots.enter(request);
  }

  #rejectWhenFull(caller: string | undefined, group: TurnGroup | undefined): void {
    const { total, reserved } = this.#queue;
    if (this.queued >= total) throw this.#busy();
    const { running, waiting } = this.#slots.of(caller);
    if (caller !== undefined && !this.#queue.allows(this.queued, waiting)) {
      const scope = this.#queue.usedUpBy(this.queued, waiting);
      const found =
        scope === 'caller'
          ? `You have used your share of the queue: ${running} of your turns are running and ${waiting} are queued`
          : `The queue is nearly full: ${this.queued} of ${total} places are taken, ${waiting} of them by you`;
      throw limitExceeded(
        { limit: 'queuedTurns', scope, retryAfterSeconds: 1 },
        `${found}, and the last ${reserved} of ${total} places are for callers with fewer. Retry when one of your turns has ended.`,
      );
    }
    if (group === undefined || waiting < group.maxRunning * WAITING_FOR_EACH_RUNNING) return;
    throw limitExceeded(
      { limit: 'concurrentTurns', scope: 'caller', retryAfterSeconds: 1 },
      `Too many concurrent turns: this caller may run ${group.maxRunning} at a time, and ${waiting} more are queued. ` +
        'Retry when one has ended.',
    );
  }

  #busy(): A2AError {
    return limitExceeded(
      { limit: 'queuedTurns', scope: 'server', retryAfterSeconds: 1 },
      `The agent is busy: ${this.running} turns are running and ${this.queued} are queued. Retry later.`,
    );
  }
}
