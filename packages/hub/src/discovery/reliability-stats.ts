import type { Observer } from '@holdword/runtime';
import type { HubCalls } from '@holdword/runtime/internal/observe';
import { isoTime } from '../wire/times.ts';
import { toHubError } from '../wire/encode-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';

/** The outcome of one method call. */
export interface MethodObservation {
  readonly method: string;
  readonly milliseconds: number;
  /** The error code; undefined if the call succeeded. */
  readonly code: string | undefined;
}

interface MethodStats {
  calls: number;
  /** Failed calls by error code. */
  readonly refused: Map<string, number>;
  readonly times: RecentTimes;
}

/** The code of an internal error; all other codes mean that the request was at fault. */
const INTERNAL_ERROR = 'DELX-A2A-1500';
const KEPT_TIMES = 1_000;
const SHARES = [0.5, 0.95, 0.99] as const;

/**
 * Measured reliability of a hub since its process started: the content of `/api/v1/reliability`.
 *
 * Responsible for counting in constant time and bounded memory: only known methods are counted, so callers cannot make
 * it grow. The runtime reports turns and commits through `observer`, the hub reports method calls.
 *
 * @example
 * ```ts
 * import { createResponder, ReliabilityStats } from '@holdword/hub';
 * import { openMemoryStore, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * const stats = new ReliabilityStats();
 * await startRuntime({
 *   store,
 *   executor: createResponder({ store }),
 *   observer: stats.observer,
 * });
 * // Pass `stats` to createHub as well.
 * ```
 */
export class ReliabilityStats {
  /** Observer for the runtime that answers messages. */
  readonly observer: Observer = {
    turnEnded: ({ state }) =>
      count(this.#turns, state?.slice('TASK_STATE_'.length).toLowerCase() ?? 'message'),
    committed: () => void (this.#commits += 1),
    commitFailed: () => void (this.#commitFailures += 1),
  };
  readonly #startedAt: number;
  readonly #now: () => number;
  readonly #methods = new Map<string, MethodStats>();
  readonly #turns = new Map<string, number>();
  readonly #counts = { claim: new Map<string, number>(), alarm: new Map<string, number>() };
  #commits = 0;
  #commitFailures = 0;

  /** @param now Current time in milliseconds since the epoch; `Date.now` by default. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedAt = now();
  }

  /**
   * Records the outcome of a method call.
   * @internal
   */
  methodEnded({ method, milliseconds, code }: MethodObservation): void {
    const stats = this.#statsOf(method);
    stats.calls += 1;
    stats.times.record(milliseconds);
    if (code !== undefined) count(stats.refused, code);
  }

  /**
   * The number of calls by method and outcome, for the server's metrics.
   * @internal
   */
  calls(): HubCalls[] {
    return [...this.#methods].flatMap(([method, { calls, refused }]) => {
      const outcomes = [...refused].map(([outcome, each]) => ({ method, outcome, count: each }));
      const answered = calls - sum([...refused.values()]);
      return [{ method, outcome: 'OK', count: answered }, ...outcomes];
    });
  }

  /**
   * Counts a claim by its outcome, or an alarm by its type.
   * @internal
   */
  count(what: 'claim' | 'alarm', label: string): void {
    count(this.#counts[what], label);
  }

  /**
   * The claims by outcome, or the alarms by type, for the server's metrics.
   * @internal
   */
  countsOf(what: 'claim' | 'alarm'): ReadonlyMap<string, number> {
    return this.#counts[what];
  }

  /** The document that `/api/v1/reliability` returns. */
  summary() {
    const methods = Object.fromEntries(
      [...this.#methods]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([name, each]) => [name, summaryOf(each)]),
    );
    const calls = sum(Object.values(methods).map((each) => each.calls));
    const failed = sum(Object.values(methods).map((each) => each.failed));
    return {
      status: this.#commitFailures === 0 && failed === 0 ? 'ok' : 'degraded',
      started_at: isoTime(this.#startedAt),
      uptime_seconds: Math.floor((this.#now() - this.#startedAt) / 1000),
      calls,
      failed_calls: failed,
      /** The share of calls without an internal error; null before the first call. */
      success_rate: calls === 0 ? null : (calls - failed) / calls,
      methods,
      turns: Object.fromEntries(this.#turns),
      store: { commits: this.#commits, failed_commits: this.#commitFailures },
      scope: 'This process since started_at. Latencies cover the newest calls of each method.',
    };
  }

  #statsOf(method: string): MethodStats {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const stats = { calls: 0, refused: new Map<string, number>(), times: new RecentTimes(KEPT_TIMES) };
    this.#methods.set(method, stats);
    return stats;
  }
}

function summaryOf({ calls, refused, times }: MethodStats) {
  const [p50, p95, p99] = times.percentiles(SHARES).map(rounded);
  return {
    calls,
    refused: Object.fromEntries(refused),
    failed: refused.get(INTERNAL_ERROR) ?? 0,
    latency_ms: { p50, p95, p99, sample: times.count },
  };
}

/** Rounds to microseconds. */
function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Number(milliseconds.toFixed(3));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** A ring buffer of the newest durations. Recording one takes constant time. */
export class RecentTimes {
  readonly #times: Float64Array;
  #recorded = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
  }

  record(milliseconds: number): void {
    this.#times[this.#recorded % this.#times.length] = milliseconds;
    this.#recorded += 1;
  }

  get count(): number {
    return Math.min(this.#recorded, this.#times.length);
  }

  /** The percentiles for shares between 0 and 1; null without any durations. */
  percentiles(shares: readonly number[]): (number | null)[] {
    const ascending = this.#times.slice(0, this.count).toSorted();
    return shares.map((share) => ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null);
  }
}

/** Wraps a method so that its calls are counted and timed. */
export function instrumentMethod(method: HubMethod, stats: ReliabilityStats): HubMethod {
  return {
    ...method,
    async handle(params, requestContext) {
      const start = performance.now();
      let code: string | undefined;
      try {
        return await method.handle(params, requestContext);
      } catch (error) {
        code = toHubError(error).code;
        throw error;
      } finally {
        stats.methodEnded({ method: method.name, milliseconds: performance.now() - start, code });
      }
    },
  };
}
