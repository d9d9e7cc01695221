import type { Observer, PushHealth, TurnActivity } from '@holdword/runtime';
import type { Series } from '../api/operations.ts';

type Point = Series['points'][number];

const SECOND = 1_000;
const WINDOWS = {
  hour: { stepSeconds: 10, points: 360 },
  day: { stepSeconds: 300, points: 288 },
} as const;

/** What is read at the end of a step, because it is a state and not a count. */
export interface SeriesSources {
  readonly activity: () => Pick<TurnActivity, 'running' | 'queued'>;
  readonly push: () => PushHealth;
  readonly openStreams?: (() => number) | undefined;
  /** The size of the store. Undefined where that cannot be told. */
  readonly storeBytes?: (() => Promise<number | undefined>) | undefined;
}

/**
 * What has been counted since the process started. It only grows, and only in place: a request adds to a few numbers, and allocates
 * nothing. What happened in a step is the difference of two copies.
 */
class Counts {
  requests = 0;
  errors = 0;
  turns = 0;
  failedTurns = 0;
  events = 0;
  readonly requestTimes = new Uint32Array(BUCKETS);
  readonly turnTimes = new Uint32Array(BUCKETS);
  readonly commitTimes = new Uint32Array(BUCKETS);

  copy(): Counts {
    const copy = new Counts();
    copy.requests = this.requests;
    copy.errors = this.errors;
    copy.turns = this.turns;
    copy.failedTurns = this.failedTurns;
    copy.events = this.events;
    copy.requestTimes.set(this.requestTimes);
    copy.turnTimes.set(this.turnTimes);
    copy.commitTimes.set(this.commitTimes);
    return copy;
  }
}

/**
 * How this process was doing over the last hour and day, in memory: a few hundred points of each, however much happens. It begins
 * when the process starts; Prometheus keeps what has to last.
 *
 * @example
 * ```ts
 * const series = new ServerSeries();
 * const store = openMemoryStore();
 * const executor: Executor = { execute: (turn, sink) => sink.complete('Hello.') };
 * const runtime = await startRuntime({ store, executor, observer: series.observer });
 * series.start({ activity: () => runtime.activity, push: () => runtime.pushHealth() });
 * ```
 */
export class ServerSeries {
  /** Pass it to `startRuntime` and `serveRuntime`. */
  readonly observer: Observer;
  readonly #counts = new Counts();
  /** As they were when the last step ended. */
  readonly #before = { hour: new Counts(), day: new Counts() };
  readonly #points = { hour: [] as Point[], day: [] as Point[] };
  readonly #delivered = { hour: 0, day: 0 };
  readonly #failed = { hour: 0, day: 0 };
  #timers: NodeJS.Timeout[] = [];

  constructor() {
    const counts = this.#counts;
    this.observer = {
      requestEnded: (request) => {
        counts.requests += 1;
        if (request.error !== undefined) counts.errors += 1;
        add(counts.requestTimes, request.milliseconds);
      },
      turnEnded: (turn) => {
        counts.turns += 1;
        if (turn.state === 'TASK_STATE_FAILED') counts.failedTurns += 1;
        add(counts.turnTimes, turn.milliseconds);
      },
      committed: (events, milliseconds) => {
        counts.events += events;
        add(counts.commitTimes, milliseconds);
      },
    };
  }

  /** Takes a point at the end of each step from now on. */
  start(sources: SeriesSources): void {
    for (const window of ['hour', 'day'] as const) {
      const { stepSeconds } = WINDOWS[window];
      this.#timers.push(setInterval(() => void this.take(window, sources), stepSeconds * SECOND).unref());
    }
  }

  /** Takes no more points. Those that were taken are kept. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /**
   * The points of a window, oldest first.
   * @internal
   */
  read(window: 'hour' | 'day'): Series {
    return { stepSeconds: WINDOWS[window].stepSeconds, points: [...this.#points[window]] };
  }

  /**
   * Ends a step.
   * @internal
   */
  async take(window: 'hour' | 'day', sources: SeriesSources): Promise<void> {
    const before = this.#before[window];
    const counts = this.#counts.copy();
    this.#before[window] = counts;
    const push = sources.push();
    const { running, queued } = sources.activity();
    const points = this.#points[window];
    const storeBytes = await sources.storeBytes?.().catch(() => undefined);
    points.push({
      at: new Date().toISOString(),
      requests: counts.requests - before.requests,
      errors: counts.errors - before.errors,
      requestMilliseconds: summaryOf(counts.requestTimes, before.requestTimes),
      turns: counts.turns - before.turns,
      failedTurns: counts.failedTurns - before.failedTurns,
      turnMilliseconds: summaryOf(counts.turnTimes, before.turnTimes),
      runningTurns: running,
      waitingTurns: queued,
      openStreams: sources.openStreams?.() ?? null,
      events: counts.events - before.events,
      commitMilliseconds: summaryOf(counts.commitTimes, before.commitTimes),
      pushDelivered: push.deliveredEvents - this.#delivered[window],
      pushFailed: push.failedAttempts - this.#failed[window],
      pushWaiting: push.waitingDeliveries + push.runningDeliveries,
      pushLagSeconds: push.longestFailureSeconds,
      storeBytes: storeBytes ?? null,
      memoryBytes: process.memoryUsage.rss(),
    });
    this.#delivered[window] = push.deliveredEvents;
    this.#failed[window] = push.failedAttempts;
    if (points.length > WINDOWS[window].points) points.shift();
  }
}

/** Each bucket is a quarter wider than the one before, from a tenth of a millisecond to a day. */
const GROWTH = 1.25;
const SMALLEST = 0.1;
const BUCKETS = 93;
const PER_LOG = 1 / Math.log(GROWTH);

function add(buckets: Uint32Array, milliseconds: number): void {
  const bucket =
    milliseconds <= SMALLEST
      ? 0
      : Math.min(Math.ceil(Math.log(milliseconds / SMALLEST) * PER_LOG), BUCKETS - 1);
  buckets[bucket] = (buckets[bucket] ?? 0) + 1;
}

/** Of the times that were added in between; null without any. Within a quarter of the truth. */
function summaryOf(after: Uint32Array, before: Uint32Array): { median: number; p95: number } | null {
  const added = after.map((count, bucket) => count - (before[bucket] ?? 0));
  const total = added.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const quantile = (share: number): number => {
    let seen = 0;
    const index = added.findIndex((count) => (seen += count) >= share * total);
    return Number((SMALLEST * GROWTH ** index).toPrecision(3));
  };
  return { median: quantile(0.5), p95: quantile(0.95) };
}
