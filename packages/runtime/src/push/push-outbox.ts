import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import { withTimeout } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import type { JWK } from 'jose';
import { limitExceeded } from '../caller-limits.ts';
import { DEFAULT_PUSH_OPTIONS, DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import { type Log, OutageLog } from '../log.ts';
import type { PushHealth } from '../observe/metrics.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { loadPushKeys, type PushKeys } from './push-keys.ts';
import {
  callerOf,
  isActive,
  type PushTarget,
  type StoredTarget,
  targetKey,
  TargetRecords,
} from './push-targets.ts';
import { sendEvent } from './send-event.ts';
import { type DeliverySurroundings, TargetDelivery } from './target-delivery.ts';

/** How push notifications are delivered. */
export interface PushOptions {
  /**
   * Ranges (`10.0.0.0/8`), addresses and host names that may be called although they are not on the public internet.
   * Link-local and cloud metadata addresses stay refused.
   */
  allowPrivate?: readonly string[] | undefined;
  /**
   * Concurrent requests to all receivers.
   * @default 64
   */
  concurrency?: number;
  /**
   * Push targets of one task.
   * @default 100
   */
  targetsPerTask?: number;
  /**
   * Push targets of one authenticated caller with events that are expected or not yet delivered.
   * @default 10000
   */
  targetsPerCaller?: number;
  /**
   * The timeout of one request.
   * @default 10000
   */
  timeoutMilliseconds?: number;
  /**
   * The longest pause between two attempts, unless the receiver asks for a longer one.
   * @default 300000 (5 minutes)
   */
  longestPauseMilliseconds?: number;
  /**
   * How long an event is retried before its target is abandoned.
   * @default 86400000 (24 hours)
   */
  deadLetterMilliseconds?: number;
  /** The private key that signs push notifications. By default, one is created and kept in the store. */
  signingKey?: JWK | undefined;
  /**
   * Resolves host names.
   * @default the resolver of the system
   */
  resolve?: ResolveHost | undefined;
}

const LOOK_MILLISECONDS = 1_000;
/** An agent may say something after the end of its task. Targets stay active for this long. */
const LINGER_MILLISECONDS = 5 * 60_000;
const STOP_MILLISECONDS = 1_000;
/** Of a caller's deliveries, so many of all that can run at once go to one host. */
const HOST_SHARE = 1 / 4;

/** This process, as the store identifies it, and how long others consider it alive after its last heartbeat. */
export interface ProcessLife {
  holder: string;
  leaseMilliseconds: number;
}

/**
 * Sends every committed event to the push targets of its task (J11).
 *
 * Responsible for the set of targets: those configured here, those found at the start, and those that other processes
 * left or changed. It wakes them when the store has committed something for their task. Leaves each target to its
 * TargetDelivery, and permission to configure one to the operations.
 */
export class PushOutbox {
  readonly records: TargetRecords;
  readonly keys: PushKeys;
  readonly #client: GuardedClient;
  readonly #around: DeliverySurroundings;
  readonly #outage: OutageLog;
  readonly #shared: boolean;
  /** Among processes that share a store, targets of a dead process are looked for only once in so many scans. */
  readonly #looksUntilRescan: number;
  /** By task, then by configuration. */
  readonly #deliveries = new Map<string, Map<string, TargetDelivery>>();
  /** The targets with events that are expected or not yet delivered, by caller. */
  readonly #activeOf = new Map<string, Set<TargetDelivery>>();
  readonly #most: { readonly perTask: number; readonly perCaller: number };
  readonly #dead = new Set<string>();
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  readonly #counters = { deliveredEvents: 0, failedAttempts: 0 };
  #announcement: string | undefined;
  #looks = 0;
  /** The scan that is running. */
  #looking: Promise<void> | undefined;
  #stopped = false;

  static async start(
    store: Store,
    log: Log,
    self: ProcessLife,
    options: PushOptions & { reservedPercent?: number | undefined },
  ): Promise<PushOutbox> {
    const outbox = new PushOutbox(store, log, self, options, await loadPushKeys(store, options.signingKey));
    outbox.#announcement = await outbox.records.lastAnnouncement();
    await outbox.#rescan();
    return outbox;
  }

  private constructor(
    store: Store,
    log: Log,
    self: ProcessLife,
    options: PushOptions & { reservedPercent?: number | undefined },
    keys: PushKeys,
  ) {
    const { allowPrivate = [], resolve, reservedPercent = DEFAULT_RUNTIME_OPTIONS.reservedPercent } = options;
    const { concurrency, timeoutMilliseconds, longestPauseMilliseconds, deadLetterMilliseconds, ...most } = {
      ...DEFAULT_PUSH_OPTIONS,
      ...options,
    };
    this.#most = { perTask: most.targetsPerTask, perCaller: most.targetsPerCaller };
    this.records = new TargetRecords(store);
    this.keys = keys;
    this.#client = createGuardedClient({ allow: allowPrivate, ...(resolve && { resolve }) });
    this.#shared = store.isShared;
    this.#looksUntilRescan = Math.ceil(self.leaseMilliseconds / LOOK_MILLISECONDS);
    this.#outage = new OutageLog(log, {
      beginning: 'Push notifications are delayed because the store failed.',
      end: 'Push notifications are delivered again: the store works.',
    });
    const sending = { client: this.#client, keys, timeoutMilliseconds, signal: this.#abort.signal };
    this.#around = {
      store,
      log,
      outage: this.#outage,
      records: this.records,
      slots: new DeliverySlots({
        total: concurrency,
        perHost: Math.max(1, Math.ceil(concurrency * HOST_SHARE)),
        reservedPercent,
      }),
      holder: this.#shared ? self.holder : undefined,
      claimMilliseconds: Math.max(self.leaseMilliseconds, 3 * timeoutMilliseconds),
      deadLetterMilliseconds,
      longestPauseMilliseconds,
      send: (target, event) => sendEvent(target, event, sending),
      attempted: ({ kind }) => {
        if (kind === 'delivered') this.#counters.deliveredEvents += 1;
        else this.#counters.failedAttempts += 1;
      },
      settled: (delivery) => this.#settled(delivery),
    };
    this.#unsubscribe = store.onCommit((commits) => {
      if (this.#deliveries.size === 0) return;
      // An empty list means that the store may have missed some.
      if (commits.length === 0) for (const delivery of this.#all()) delivery.wake();
      for (const { taskId } of commits) {
        for (const delivery of this.#deliveries.get(taskId)?.values() ?? []) delivery.wake();
      }
    });
    this.#timer = setInterval(() => {
      // With an unreachable store, a scan takes longer than the interval. The next one starts after it has ended.
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    }, LOOK_MILLISECONDS);
    this.#timer.unref();
  }

  /** Rejects with ForbiddenUrlError if the URL must not be called. */
  checkUrl(url: string): Promise<void> {
    return this.#client.check(url);
  }

  /**
   * Adds a target, replacing and continuing one with the same id.
   * @throws A2AError RESOURCE_EXHAUSTED if the task or the caller has too many
   */
  async add(target: PushTarget): Promise<void> {
    for (;;) {
      const before = await this.records.find(target);
      if (before === undefined) await this.#requireRoom(target);
      const delivered = before?.target.delivered ?? target.delivered;
      const stored = await this.records.replace(before, { ...target, delivered });
      if (stored === undefined) continue;
      this.#dead.delete(targetKey(target));
      const known = this.#deliveries.get(target.taskId)?.get(target.configId);
      if (known === undefined) this.#attend(stored);
      else known.refresh();
      return;
    }
  }

  /** Targets of one task are counted in the store, those of a caller among the ones that this process knows. */
  async #requireRoom(target: PushTarget): Promise<void> {
    const { perTask, perCaller } = this.#most;
    if ((await this.records.list(target.taskId)).length >= perTask) {
      throw limitExceeded(
        { limit: 'push.targetsPerTask', scope: 'caller' },
        `A task can have at most ${perTask} push configurations. Delete one that is no longer needed.`,
      );
    }
    const caller = callerOf(target);
    const active = caller === undefined ? undefined : this.#activeOf.get(caller);
    if (active === undefined || active.size < perCaller) return;
    const failing = [...active].filter(({ target: { failure } }) => failure !== undefined).length;
    throw limitExceeded(
      { limit: 'push.targetsPerCaller', scope: 'caller', retryAfterSeconds: 60 },
      `You have ${active.size} active push configurations, which is your limit; ${failing} of them cannot be delivered to. ` +
        'Delete some, or wait until their tasks have ended and their receivers have answered.',
    );
  }

  async remove(name: Pick<PushTarget, 'taskId' | 'configId'>): Promise<void> {
    await this.records.remove(name);
    this.#dead.delete(targetKey(name));
    this.#deliveries.get(name.taskId)?.get(name.configId)?.refresh();
  }

  health(): PushHealth {
    const targets = [...this.#all()].map(({ target }) => target).filter(isActive);
    const failures = targets.map(({ failure }) => failure).filter((failure) => failure !== undefined);
    const longest = failures.reduce((most, { failingMilliseconds: time }) => Math.max(most, time), 0);
    return {
      enabled: true,
      activeTargets: targets.length,
      failingTargets: failures.length,
      deadTargets: this.#dead.size,
      longestFailureSeconds: Math.round(longest / 1000),
      runningDeliveries: this.#around.slots.running,
      waitingDeliveries: this.#around.slots.waiting,
      ...this.#counters,
    };
  }

  /** Starts no more requests and scans, gives those in progress a moment, and saves the progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    if (this.#looking !== undefined) await withTimeout(this.#looking, STOP_MILLISECONDS).catch(() => {});
    const timer = setTimeout(() => this.#abort.abort(), STOP_MILLISECONDS);
    const stopped = Promise.allSettled([...this.#all()].map((delivery) => delivery.stop()));
    // A store that does not respond cannot save progress. Then events are sent again after the next start.
    await withTimeout(stopped, 2 * STOP_MILLISECONDS).catch(() => {});
    clearTimeout(timer);
    this.#abort.abort();
    this.#client.close();
  }

  *#all(): Iterable<TargetDelivery> {
    for (const deliveries of this.#deliveries.values()) yield* deliveries.values();
  }

  #attend(stored: StoredTarget): void {
    const { taskId, configId } = stored.target;
    let deliveries = this.#deliveries.get(taskId);
    if (deliveries === undefined) this.#deliveries.set(taskId, (deliveries = new Map()));
    const delivery = new TargetDelivery(stored, this.#around);
    deliveries.set(configId, delivery);
    const caller = callerOf(stored.target);
    if (caller !== undefined) {
      const active = this.#activeOf.get(caller) ?? new Set();
      this.#activeOf.set(caller, active.add(delivery));
    }
    delivery.wake();
  }

  #noLongerActive(delivery: TargetDelivery): void {
    const caller = callerOf(delivery.target);
    const active = caller === undefined ? undefined : this.#activeOf.get(caller);
    if (caller === undefined || active === undefined) return;
    active.delete(delivery);
    if (active.size === 0) this.#activeOf.delete(caller);
  }

  #settled(delivery: TargetDelivery): void {
    const { target } = delivery;
    if (target.deadSince !== undefined) this.#dead.add(targetKey(target));
    this.#noLongerActive(delivery);
    if (target.finishedAt === undefined) this.#forget(delivery);
  }

  #forget(delivery: TargetDelivery): void {
    const { taskId, configId } = delivery.target;
    const deliveries = this.#deliveries.get(taskId);
    if (deliveries?.get(configId) !== delivery) return;
    deliveries.delete(configId);
    this.#noLongerActive(delivery);
    if (deliveries.size === 0) this.#deliveries.delete(taskId);
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    try {
      const announcement = await this.records.lastAnnouncement();
      if (
        announcement !== this.#announcement ||
        (this.#shared && this.#looks % this.#looksUntilRescan === 0)
      ) {
        await this.#rescan();
        this.#announcement = announcement;
      }
      this.#outage.succeeded();
    } catch (error) {
      this.#outage.failed(error);
    }
    const old = Date.now() - LINGER_MILLISECONDS;
    for (const delivery of this.#all()) {
      if ((delivery.target.finishedAt ?? Infinity) < old) this.#forget(delivery);
    }
  }

  async #rescan(): Promise<void> {
    const found = await this.records.list();
    if (this.#stopped) return;
    for (const stored of found) {
      const { target } = stored;
      const key = targetKey(target);
      if (target.deadSince === undefined) this.#dead.delete(key);
      else this.#dead.add(key);
      const known = this.#deliveries.get(target.taskId)?.get(target.configId);
      if (known !== undefined) {
        if (!known.knows(stored)) known.refresh();
      } else if (isActive(target)) this.#attend(stored);
    }
  }
}
