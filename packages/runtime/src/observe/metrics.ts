import type { Store } from '@holdword/store';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PushHealth } from '../push/push-health.ts';
import { watchHub, type HubCalls } from './hub-metrics.ts';
import type { MetricsSource } from './metrics-source.ts';
import type { Observer } from './observer.ts';
import { watchPush } from './push-metrics.ts';
import { Tally } from './tally.ts';

/** What is read when the metrics are requested, because it is a state and not a count. */
export interface MetricSources {
  activity?: () => { running: number; queued: number };
  openStreams?: () => number;
  store?: Pick<Store, 'onCommit'>;
  push?: () => PushHealth;
  /** Of a hub that is served next to the agent. */
  hub?: () => readonly HubCalls[];
}

/** The metrics of one process, in the text format of Prometheus. */
export interface Metrics extends MetricsSource {
  readonly observer: Observer;
  watch(sources: MetricSources): void;
}

const TURN_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];
const GROUP_TASKS = [1, 2, 5, 10, 20, 50, 100, 200];

/** `processMetrics` adds memory, CPU time, event loop and garbage collection of the process. */
export function createMetrics({ processMetrics = true }: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return {
    observer: countingObserver(registry),
    watch: (sources) => watch(registry, sources),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

function countingObserver(registry: Registry): Observer {
  const registers = [registry];
  const calls = new Tally(registry, {
    name: 'holdword_requests_total',
    help: 'Completed requests, by operation, binding, A2A version and outcome.',
    labelNames: ['operation', 'binding', 'version', 'outcome'],
  });
  const limited = new Tally(registry, {
    name: 'holdword_limited_total',
    help: 'Requests rejected by a limit, by its name in the configuration.',
    labelNames: ['limit'],
  });
  const turns = new Histogram({
    name: 'holdword_turn_duration_seconds',
    help: 'Duration of turns of the agent, by the resulting state of the task.',
    labelNames: ['state'],
    buckets: TURN_SECONDS,
    registers,
  });
  const events = new Counter({
    name: 'holdword_events_committed_total',
    help: 'Events committed to journals.',
    registers,
  });
  const commits = new Histogram({
    name: 'holdword_commit_duration_seconds',
    help: 'How long the writer of a journal waited for the store.',
    buckets: COMMIT_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'holdword_store_errors_total',
    help: 'Commits that the store rejected.',
    registers,
  });
  return {
    requestEnded: ({ operation = 'unknown', binding, version = 'unknown', error, limit }) => {
      const outcome = error ?? 'OK';
      calls.count(`${operation} ${binding} ${version} ${outcome}`, () => ({
        operation,
        binding,
        version,
        outcome,
      }));
      if (limit !== undefined) limited.count(limit, () => ({ limit }));
    },
    turnEnded: ({ state, milliseconds }) => turns.observe({ state: shortState(state) }, milliseconds / 1000),
    committed: (count, milliseconds) => {
      events.inc(count);
      commits.observe(milliseconds / 1000);
    },
    commitFailed: () => failures.inc(),
  };
}

function watch(registry: Registry, { activity, openStreams, store, push, hub }: MetricSources): void {
  if (push !== undefined) watchPush(registry, push);
  if (hub !== undefined) watchHub(registry, hub);
  if (activity !== undefined) {
    gauge(registry, 'holdword_turns_running', 'Running turns.', () => activity().running);
    gauge(registry, 'holdword_turns_queued', 'Queued turns.', () => activity().queued);
  }
  if (openStreams !== undefined) {
    gauge(registry, 'holdword_streams_open', 'Open streams on all bindings.', openStreams);
  }
  if (store !== undefined) {
    const groups = new Histogram({
      name: 'holdword_commit_group_tasks',
      help: 'Tasks whose events were committed together.',
      buckets: GROUP_TASKS,
      registers: [registry],
    });
    store.onCommit((committed) => {
      if (committed.length > 0) groups.observe(committed.length);
    });
  }
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const shown = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
  registry.registerMetric(shown);
}

function shortState(state: string | undefined): string {
  return state === undefined ? 'none' : state.slice('TASK_STATE_'.length).toLowerCase();
}
