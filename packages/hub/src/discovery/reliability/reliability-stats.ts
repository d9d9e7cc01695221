import type { Observer } from '@holdword/runtime';
import type { HubCalls } from '@holdword/runtime/internal/observe';
import { RecentTimes } from './recent-times.ts';

/** How a call of a method ended. */
export interface MethodObservation {
  readonly method: string;
  readonly milliseconds: number;
  /** The code it was refused with; absent when it was answered. */
  readonly code: string | undefined;
}

interface MethodStats {
  calls: number;
  readonly refused: Map<string, number>;
  readonly times: RecentTimes;
}

/** A failure inside; every other code says that the request was not as expected. */
const FAILED_INSIDE = 'DELX-A2A-1500';
const KEPT_TIMES = 1_000;
const SHARES = [0.5, 0.95, 0.99] as const;

/**
 * What really happened on this hub since it was started, for those who decide whether to rely on it.
 *
 * Responsible for counting; a count costs the same however much has happened. Is told of turns and commits by the runtime
 * (`observer`) and of calls by the hub. Only methods that exist are counted, so that callers cannot make it grow.
 */
export class ReliabilityStats {
  /** For the runtime that answers. */
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
  #commits = 0;
  #commitFailures = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedAt = now();
  }

  methodEnded({ method, milliseconds, code }: MethodObservation): void {
    const stats = this.#statsOf(method);
    stats.calls += 1;
    stats.times.record(milliseconds);
    if (code !== undefined) count(stats.refused, code);
  }

  /** By method and outcome, for the metrics of the server. */
  calls(): HubCalls[] {
    return [...this.#methods].flatMap(([method, { calls, refused }]) => {
      const outcomes = [...refused].map(([outcome, each]) => ({ method, outcome, count: each }));
      const answered = calls - sum([...refused.values()]);
      return [{ method, outcome: 'OK', count: answered }, ...outcomes];
    });
  }

  /** In the names of the wire. */
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
      started_at: new Date(this.#startedAt).toISOString(),
      uptime_seconds: Math.floor((this.#now() - this.#startedAt) / 1000),
      calls,
      failed_calls: failed,
      /** Of all calls, those that did not fail inside; null before the first one. */
      success_rate: calls === 0 ? null : (calls - failed) / calls,
      methods,
      turns: Object.fromEntries(this.#turns),
      store: { commits: this.#commits, failed_commits: this.#commitFailures },
      scope: 'This process since started_at; times are of the newest calls of each method.',
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
    failed: refused.get(FAILED_INSIDE) ?? 0,
    latency_ms: { p50, p95, p99, sample: times.count },
  };
}

/** To microseconds: what is beyond is noise. */
function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Number(milliseconds.toFixed(3));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
