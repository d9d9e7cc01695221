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

/** Counts of one step. Every request adds to it. */
class Step {
  requests = 0;
  errors = 0;
  turns = 0;
  failedTurns = 0;
  events = 0;
  readonly requestTimes = new Times();
  readonly turnTimes = new Times();
  readonly commitTimes = new Times();

  endRequest(bucket: number, isError: boolean): void {
    this.requests += 1;
    if (isError) this.errors += 1;
    this.requestTimes.add(bucket);
  }

  endTurn(bucket: number, isFailed: boolean): void {
    this.turns += 1;
    if (isFailed) this.failedTurns += 1;
    this.turnTimes.add(bucket);
  }

  commit(bucket: number, events: number): void {
    this.events += events;
    this.commitTimes.add(bucket);
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
  readonly #counts = { hour: { step: new Step() }, day: { step: new Step() } };
  readonly #points = { hour: [] as Point[], day: [] as Point[] };
  readonly #delivered = { hour: 0, day: 0 };
  readonly #failed = { hour: 0, day: 0 };
  #timers: NodeJS.Timeout[] = [];

  constructor() {
    const { hour, day } = this.#counts;
    this.observer = {
      requestEnded: ({ error, milliseconds }) => {
        const bucket = bucketOf(milliseconds);
        hour.step.endRequest(bucket, error !== undefined);
        day.step.endRequest(bucket, error !== undefined);
      },
      turnEnded: ({ state, milliseconds }) => {
        const bucket = bucketOf(milliseconds);
        hour.step.endTurn(bucket, state === 'TASK_STATE_FAILED');
        day.step.endTurn(bucket, state === 'TASK_STATE_FAILED');
      },
      committed: (events, milliseconds) => {
        const bucket = bucketOf(milliseconds);
        hour.step.commit(bucket, events);
        day.step.commit(bucket, events);
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
    const { step } = this.#counts[window];
    this.#counts[window].step = new Step();
    const push = sources.push();
    const { running, queued } = sources.activity();
    const points = this.#points[window];
    const storeBytes = await sources.storeBytes?.().catch(() => undefined);
    points.push({
      at: new Date().toISOString(),
      requests: step.requests,
      errors: step.errors,
      requestMilliseconds: step.requestTimes.summary(),
      turns: step.turns,
      failedTurns: step.failedTurns,
      turnMilliseconds: step.turnTimes.summary(),
      runningTurns: running,
      waitingTurns: queued,
      openStreams: sources.openStreams?.() ?? null,
      events: step.events,
      commitMilliseconds: step.commitTimes.summary(),
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
const LOG_OF_GROWTH = Math.log(GROWTH);

function bucketOf(milliseconds: number): number {
  if (milliseconds <= SMALLEST) return 0;
  return Math.min(Math.ceil(Math.log(milliseconds / SMALLEST) / LOG_OF_GROWTH), BUCKETS - 1);
}

/** The distribution of times, in buckets: its size does not depend on how many there are. */
class Times {
  readonly #buckets = new Uint32Array(BUCKETS);
  #count = 0;

  add(bucket: number): void {
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count += 1;
  }

  /** Null without times. Within a quarter of the truth. */
  summary(): { median: number; p95: number } | null {
    return this.#count === 0 ? null : { median: this.#quantile(0.5), p95: this.#quantile(0.95) };
  }

  #quantile(share: number): number {
    let seen = 0;
    const index = this.#buckets.findIndex((count) => (seen += count) >= share * this.#count);
    return Number((SMALLEST * GROWTH ** index).toPrecision(3));
  }
}
