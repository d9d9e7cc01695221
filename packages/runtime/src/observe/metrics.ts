import type { Store } from '@holdword/store';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from './observer.ts';

/** Something that renders the metrics of a process, for `/metrics`. */
export interface MetricsSource {
  render(): Promise<{ contentType: string; body: string }>;
}

/** The state of push notifications in this process. */
export interface PushHealth {
  enabled: boolean;
  /** Targets with events that are expected or not yet delivered. */
  activeTargets: number;
  /** Active targets whose last attempt failed. */
  failingTargets: number;
  /** Abandoned targets. */
  deadTargets: number;
  /** How long the target that fails longest has been failing. */
  longestFailureSeconds: number;
  /** Since the process started. */
  deliveredEvents: number;
  /** Since the process started. */
  failedAttempts: number;
  /** Deliveries that run at the moment. */
  runningDeliveries: number;
  /** Deliveries that wait for a slot. */
  waitingDeliveries: number;
}

/** The turns of a process at the moment. */
export interface TurnActivity {
  running: number;
  queued: number;
  /** How many callers have turns that run or wait. Anonymous callers count as one. */
  callers: number;
  /** The most turns of one caller that run. */
  mostRunning: number;
  /** The most turns of one caller that wait. */
  mostQueued: number;
}

/** How many requests of a hub method ended with one outcome: OK, or the code of the error. */
export interface HubCalls {
  readonly method: string;
  readonly outcome: string;
  readonly count: number;
}

/** What a hub tells about itself when the metrics are requested. */
export interface HubMetrics {
  calls(): readonly HubCalls[];
  /** Claims of tasks by outcome: `granted`, or why they were refused. */
  claims(): ReadonlyMap<string, number>;
  /** Alarms by type. */
  alarms(): ReadonlyMap<string, number>;
  census(): Promise<{
    readonly alive: number;
    readonly missing: number;
    readonly blocked: number;
    readonly openHandoffs: number;
  }>;
}

/** What is read when the metrics are requested, because it is a state and not a count. */
export interface MetricSources {
  activity?: () => TurnActivity;
  openStreams?: () => number;
  store?: Pick<Store, 'onCommit'>;
  push?: () => PushHealth;
  /** Of a hub that is served next to the agent. */
  hub?: HubMetrics;
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
  const calls = new Counter({
    name: 'holdword_requests_total',
    help: 'Completed requests, by operation, binding, A2A version and outcome.',
    labelNames: ['operation', 'binding', 'version', 'outcome'],
    registers,
  });
  const limited = new Counter({
    name: 'holdword_limited_total',
    help: 'Requests rejected by a limit, by its name in the configuration and by who used it up: the caller or all.',
    labelNames: ['limit', 'scope'],
    registers,
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
    requestEnded: ({ operation = 'unknown', binding, version = 'unknown', error, limit, limitScope }) => {
      calls.inc({ operation, binding, version, outcome: error ?? 'OK' });
      if (limit !== undefined) limited.inc({ limit, scope: limitScope ?? 'server' });
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
    gauge(
      registry,
      'holdword_turn_callers',
      'Callers with running or queued turns.',
      () => activity().callers,
    );
    watchBusiest(registry, activity);
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

/** Not by caller: there can be any number of those. */
function watchBusiest(registry: Registry, activity: () => TurnActivity): void {
  const shown = new Gauge({
    name: 'holdword_busiest_caller_turns',
    help: 'The most turns that one caller has running or queued.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { mostRunning, mostQueued } = activity();
      this.set({ state: 'running' }, mostRunning);
      this.set({ state: 'queued' }, mostQueued);
    },
  });
  registry.registerMetric(shown);
}

function shortState(state: string | undefined): string {
  return state === undefined ? 'none' : state.slice('TASK_STATE_'.length).toLowerCase();
}

/** Exposes the state of push notifications when the metrics are read. */
function watchPush(registry: Registry, health: () => PushHealth): void {
  const registers: Registry[] = [];
  const targets = new Gauge({
    name: 'holdword_push_targets',
    help: 'Push targets: active ones, failing ones, which are being retried, and abandoned ones.',
    labelNames: ['state'],
    registers,
    collect() {
      const { activeTargets, failingTargets, deadTargets } = health();
      this.set({ state: 'active' }, activeTargets - failingTargets);
      this.set({ state: 'failing' }, failingTargets);
      this.set({ state: 'dead' }, deadTargets);
    },
  });
  const longest = new Gauge({
    name: 'holdword_push_longest_failure_seconds',
    help: 'How long the push target that fails longest has been failing.',
    registers,
    collect() {
      this.set(health().longestFailureSeconds);
    },
  });
  const attempts = new Counter({
    name: 'holdword_push_attempts_total',
    help: 'Push notifications sent, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { deliveredEvents, failedAttempts } = health();
      this.reset();
      this.inc({ outcome: 'delivered' }, deliveredEvents);
      this.inc({ outcome: 'failed' }, failedAttempts);
    },
  });
  const deliveries = new Gauge({
    name: 'holdword_push_deliveries',
    help: 'Push notifications that are being delivered or wait for a slot.',
    labelNames: ['state'],
    registers,
    collect() {
      const { runningDeliveries, waitingDeliveries } = health();
      this.set({ state: 'running' }, runningDeliveries);
      this.set({ state: 'waiting' }, waitingDeliveries);
    },
  });
  registry.registerMetric(deliveries);
  registry.registerMetric(targets);
  registry.registerMetric(longest);
  registry.registerMetric(attempts);
}

/** Exposes what a hub does that is served next to the agent. */
function watchHub(registry: Registry, hub: HubMetrics): void {
  const registers: Registry[] = [];
  const shown = new Counter({
    name: 'holdword_hub_requests_total',
    help: 'Completed requests of the hub, by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { method, outcome, count } of hub.calls()) this.inc({ method, outcome }, count);
    },
  });
  const claims = new Counter({
    name: 'holdword_hub_claims_total',
    help: 'Claims of tasks that were handed over, by outcome: granted, or why they were refused.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of hub.claims()) this.inc({ outcome }, count);
    },
  });
  const alarms = new Counter({
    name: 'holdword_hub_alarms_total',
    help: 'Alarms of the hub, by type.',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const [type, count] of hub.alarms()) this.inc({ type }, count);
    },
  });
  const agents = new Gauge({
    name: 'holdword_hub_agents',
    help: 'Agents of the hub that are alive, by their heartbeats, missing or blocked.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { alive, missing, blocked } = await hub.census();
      this.set({ state: 'alive' }, alive);
      this.set({ state: 'missing' }, missing);
      this.set({ state: 'blocked' }, blocked);
    },
  });
  const handoffs = new Gauge({
    name: 'holdword_hub_handoffs_open',
    help: 'Hand-offs that are offered or held.',
    registers,
    async collect() {
      this.set((await hub.census()).openHandoffs);
    },
  });
  registry.registerMetric(shown);
  registry.registerMetric(claims);
  registry.registerMetric(alarms);
  registry.registerMetric(agents);
  registry.registerMetric(handoffs);
}
