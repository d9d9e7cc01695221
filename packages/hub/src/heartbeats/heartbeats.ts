import type { Store } from '@holdword/store';
import { recommendCadence, type Cadence } from './cadence.ts';
import { DueList, type DueEntry } from './due-list.ts';
import {
  addSample,
  decodeSeries,
  encodeSeries,
  type HeartbeatMetrics,
  type HeartbeatSeries,
} from './heartbeat-series.ts';

const SERIES = 'hub-heartbeats';
const WATCHED = 'hub-heartbeats-due';

/** An agent may be late by half its interval, but at least by this. */
const MIN_GRACE_SECONDS = 30;

export interface StoredHeartbeat {
  readonly series: HeartbeatSeries;
  readonly cadence: Cadence;
}

/** An agent whose heartbeat is overdue. */
export interface MissedAgent {
  readonly agentId: string;
  readonly lastSeenAt: number;
  readonly noticedAt: number;
  readonly cadenceSeconds: number;
}

/**
 * The heartbeats of all agents.
 *
 * Responsible for one bounded record per agent, and for checking every agent again when its next heartbeat is due. A
 * heartbeat costs one read and one write; the due list changes only if the agent has no entry in it or must be checked
 * earlier than its entry says.
 * Leaves the reaction to a missing agent to the caller of `takeMissed`.
 */
export class Heartbeats {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #due: DueList;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#due = new DueList(store, WATCHED);
  }

  async read(agentId: string): Promise<HeartbeatSeries | undefined> {
    const value = await this.#store.getRecord(SERIES, agentId);
    return value === undefined ? undefined : decodeSeries(value);
  }

  /** Stores a heartbeat and returns the recommended interval. */
  async add(agentId: string, metrics: HeartbeatMetrics): Promise<StoredHeartbeat> {
    for (;;) {
      const value = await this.#store.getRecord(SERIES, agentId);
      const stored = this.#withHeartbeat(value === undefined ? undefined : decodeSeries(value), metrics);
      const { dueAt, watchedAt } = stored.series;
      const isNewEntry = dueAt === watchedAt;
      // Before the series: an entry without a series is dropped when it comes up, but a missing entry is never recovered.
      if (isNewEntry) await this.#due.add({ at: dueAt, name: agentId });
      if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(stored.series))) return stored;
    }
  }

  /**
   * Reports each agent that is overdue now to `alarm`, once. The due entry is removed only after `alarm` has resolved, so
   * a crash repeats an alarm but never loses one. Returns the number of entries checked.
   */
  async takeMissed(limit: number, alarm: (missed: MissedAgent) => Promise<void>): Promise<number> {
    const now = this.#now();
    const entries = await this.#due.due(now, limit);
    for (const entry of entries) await this.#check(entry, now, alarm);
    return entries.length;
  }

  async #check(entry: DueEntry, now: number, alarm: (missed: MissedAgent) => Promise<void>): Promise<void> {
    const agentId = entry.name;
    const value = await this.#store.getRecord(SERIES, agentId);
    const series = value === undefined ? undefined : decodeSeries(value);
    if (series?.watchedAt === entry.at) {
      if (series.dueAt > now) await this.#reschedule(agentId, value, series);
      else await this.#markMissed(agentId, value, series, now, alarm);
    }
    await this.#due.remove(entry);
  }

  async #reschedule(agentId: string, value: string | undefined, series: HeartbeatSeries): Promise<void> {
    await this.#due.add({ at: series.dueAt, name: agentId });
    const later = { ...series, watchedAt: series.dueAt };
    if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(later))) return;
    // A heartbeat arrived in between; its series still refers to the entry that is about to be removed.
    await this.#rescheduleAfterChange(agentId);
  }

  async #markMissed(
    agentId: string,
    value: string | undefined,
    series: HeartbeatSeries,
    now: number,
    alarm: (missed: MissedAgent) => Promise<void>,
  ): Promise<void> {
    const lastSeenAt = series.samples.at(-1)?.at ?? series.dueAt;
    await alarm({ agentId, lastSeenAt, noticedAt: now, cadenceSeconds: series.cadenceSeconds });
    const missed = { ...series, watchedAt: undefined, missed: { lastSeenAt, noticedAt: now } };
    if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(missed))) return;
    await this.#rescheduleAfterChange(agentId);
  }

  /** Adds a new entry for a series that changed during the check. */
  async #rescheduleAfterChange(agentId: string): Promise<void> {
    for (;;) {
      const value = await this.#store.getRecord(SERIES, agentId);
      if (value === undefined) return;
      const series = decodeSeries(value);
      if (series.watchedAt === undefined) return;
      await this.#due.add({ at: series.dueAt, name: agentId });
      const watched = { ...series, watchedAt: series.dueAt };
      if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(watched))) return;
    }
  }

  #withHeartbeat(before: HeartbeatSeries | undefined, metrics: HeartbeatMetrics): StoredHeartbeat {
    const at = this.#now();
    const grown = addSample(before, { at, ...metrics });
    const cadence = recommendCadence(grown.samples);
    const dueAt = at + 1_000 * (cadence.seconds + Math.max(MIN_GRACE_SECONDS, cadence.seconds / 2));
    const watchedAt = Math.min(before?.watchedAt ?? dueAt, dueAt);
    return { cadence, series: { ...grown, cadenceSeconds: cadence.seconds, dueAt, watchedAt } };
  }
}
