import type { LimitScope } from './observe/observer.ts';
import { RotatingMap } from './rotating-map.ts';

/**
 * How a limited number is shared between callers: a part of it is kept for callers who hold little, so that whoever holds
 * the rest cannot keep newcomers out. Nothing that runs has to be taken back from anybody for that.
 */
export class FairShare {
  readonly total: number;
  /** How many are kept for callers who hold little. */
  readonly reserved: number;
  /** Who holds fewer than this holds little. */
  readonly little: number;

  constructor(total: number, reservedPercent: number) {
    this.total = total;
    this.reserved =
      reservedPercent === 0 || total < 2 ? 0 : Math.max(1, Math.floor((total * reservedPercent) / 100));
    this.little = Math.max(1, Math.floor(total / 100));
  }

  /** Whether a caller who holds `own` may take one more while all callers together hold `taken`. */
  allows(taken: number, own: number): boolean {
    const free = this.total - taken;
    return free > this.reserved || (free > 0 && own < this.little);
  }

  /** Who has used it up when a caller who holds `own` may take no more: that caller, or all of them together. */
  usedUpBy(taken: number, own: number): LimitScope {
    return own > taken - own ? 'caller' : 'server';
  }
}

/** What is asked of the slots. */
export interface SlotRequest {
  /** Whose share it counts for. If undefined, it counts for nobody's, and may use every slot. */
  readonly caller: string | undefined;
  /** What has a limit within the caller, such as a context. Names no lane of another caller. */
  readonly lane: string;
  /** The limit of the caller. Others count all the same. */
  readonly maxOfCaller?: number | undefined;
}

export interface Slot {
  /** The work may run immediately. */
  readonly startsNow: boolean;
  /** Resolves when the work may run, or when the slot was released before that. */
  readonly ready: Promise<void>;
  /** Releases the slot, or leaves the queue if the work is still waiting. Can be called again without effect. */
  release(): void;
}

interface Flow {
  readonly name: string | undefined;
  running: number;
  waiting: number;
  /** Work that only waits for a slot, in order. Created when it is needed: most work need not wait. */
  ready: Set<Waiting> | undefined;
}

interface Lane {
  /** Work that runs or is ready. */
  active: number;
  parked: Set<Waiting> | undefined;
}

interface Entry {
  readonly flow: Flow;
  readonly lane: string;
  readonly maxOfCaller: number;
}

interface Waiting extends Entry {
  readonly start: () => void;
}

export interface FairSlotsOptions {
  readonly total: number;
  /** How much of the total is kept for callers who hold little of it. */
  readonly reservedPercent: number;
  /** How many of one lane run at once. */
  readonly perLane: number;
}

/** Shared by all work that need not wait. */
const AT_ONCE = Promise.resolve();

/**
 * A limited number of slots, shared between callers.
 *
 * A free slot goes to the callers in turn, one each, and within a caller to the work that has been ready longest. No slot
 * stays free while work that may use it waits. The last slots are kept for callers who hold little (`FairShare`). The order
 * within a lane is the order of entering. Choosing costs one step per caller that waits and may not run, never one per
 * waiting work.
 */
export class FairSlots {
  readonly #share: FairShare;
  readonly #perLane: number;
  readonly #flows = new RotatingMap<string | undefined, Flow>();
  readonly #lanes = new RotatingMap<string, Lane>();
  /** Those with ready work. The first one is next. */
  readonly #turns = new Set<Flow>();
  #running = 0;
  #waiting = 0;

  constructor({ total, reservedPercent, perLane }: FairSlotsOptions) {
    this.#share = new FairShare(total, reservedPercent);
    this.#perLane = perLane;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** What a caller holds. */
  of(caller: string | undefined): { readonly running: number; readonly waiting: number } {
    return this.#flows.get(caller) ?? { running: 0, waiting: 0 };
  }

  /** How many callers run or wait, and the most that one of them holds. */
  get callers(): { count: number; mostRunning: number; mostWaiting: number } {
    const flows = this.#flows.values();
    return {
      count: flows.length,
      mostRunning: Math.max(0, ...flows.map(({ running }) => running)),
      mostWaiting: Math.max(0, ...flows.map(({ waiting }) => waiting)),
    };
  }

  /** Whether the request would get a slot at once. */
  isFree({ caller, lane, maxOfCaller = Infinity }: SlotRequest): boolean {
    if ((this.#lanes.get(lane)?.active ?? 0) >= this.#perLane) return false;
    return this.#mayRun(caller, this.#flows.get(caller)?.running ?? 0, maxOfCaller);
  }

  enter({ caller, lane, maxOfCaller = Infinity }: SlotRequest): Slot {
    let flow = this.#flows.get(caller);
    if (flow === undefined) {
      flow = { name: caller, running: 0, waiting: 0, ready: undefined };
      this.#flows.set(caller, flow);
    }
    const entry: Entry = { flow, lane, maxOfCaller };
    const joined = this.#joinLane(lane);
    if (!joined || !this.#mayRun(caller, flow.running, maxOfCaller)) return this.#wait(entry, joined);
    this.#occupy(flow);
    return { startsNow: true, ready: AT_ONCE, release: once(() => this.#release(entry)) };
  }

  #wait(entry: Entry, isReady: boolean): Slot {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { ...entry, start: resolve };
    this.#countWaiting(entry.flow, 1);
    if (isReady) this.#addReady(waiting);
    else this.#park(waiting);
    const release = once(() => {
      if (this.#dequeue(waiting)) resolve();
      else this.#release(entry);
    });
    return { startsNow: false, ready: promise, release };
  }

  #park(waiting: Waiting): void {
    const lane = this.#lanes.get(waiting.lane);
    if (lane === undefined) return;
    lane.parked ??= new Set();
    lane.parked.add(waiting);
  }

  #mayRun(caller: string | undefined, own: number, maxOfCaller: number): boolean {
    if (caller === undefined) return this.#running < this.#share.total;
    return own < maxOfCaller && this.#share.allows(this.#running, own);
  }

  #occupy(flow: Flow): void {
    this.#running += 1;
    flow.running += 1;
  }

  #release({ flow, lane }: Entry): void {
    this.#running -= 1;
    flow.running -= 1;
    this.#leaveLane(lane);
    this.#startReady();
    this.#forgetIdle(flow);
  }

  /** Starts what may run, the callers in turn. A start never makes room for a caller that was passed over. */
  #startReady(): void {
    for (const flow of this.#turns) {
      if (this.#running >= this.#share.total) return;
      const [next] = flow.ready ?? [];
      if (next === undefined || !this.#mayRun(flow.name, flow.running, next.maxOfCaller)) continue;
      this.#removeReady(next);
      // To the end of the line.
      if (this.#turns.delete(flow)) this.#turns.add(flow);
      this.#countWaiting(flow, -1);
      this.#occupy(flow);
      next.start();
    }
  }

  /** Returns false if it was no longer waiting. */
  #dequeue(waiting: Waiting): boolean {
    const { flow, lane } = waiting;
    if (this.#removeReady(waiting)) this.#leaveLane(lane);
    else if (this.#lanes.get(lane)?.parked?.delete(waiting) !== true) return false;
    this.#countWaiting(flow, -1);
    this.#startReady();
    this.#forgetIdle(flow);
    return true;
  }

  #addReady(waiting: Waiting): void {
    const { flow } = waiting;
    flow.ready ??= new Set();
    flow.ready.add(waiting);
    this.#turns.add(flow);
  }

  #removeReady(waiting: Waiting): boolean {
    const { flow } = waiting;
    if (flow.ready?.delete(waiting) !== true) return false;
    if (flow.ready.size === 0) this.#turns.delete(flow);
    return true;
  }

  /** Returns false if the lane is full. */
  #joinLane(name: string): boolean {
    const lane = this.#lanes.get(name);
    if (lane === undefined) this.#lanes.set(name, { active: 1, parked: undefined });
    else if (lane.active >= this.#perLane) return false;
    else lane.active += 1;
    return true;
  }

  /** Passes the place in the lane on to the work that has waited for it longest. */
  #leaveLane(name: string): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    const [next] = lane.parked ?? [];
    if (next !== undefined) {
      lane.parked?.delete(next);
      this.#addReady(next);
      return;
    }
    lane.active -= 1;
    if (lane.active === 0) this.#lanes.delete(name);
  }

  #countWaiting(flow: Flow, change: number): void {
    this.#waiting += change;
    flow.waiting += change;
  }

  #forgetIdle(flow: Flow): void {
    if (flow.running === 0 && flow.waiting === 0) this.#flows.delete(flow.name);
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
