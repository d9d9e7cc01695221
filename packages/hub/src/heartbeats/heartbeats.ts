import type { Store } from '@holdword/store';
import { DueList, type DueEntry } from './due-list.ts';
import {
  addSample,
  decodeSeries,
  encodeSeries,
  type HeartbeatMetrics,
  type HeartbeatSeries,
} from './heartbeat-series.ts';
import { recommendCadence, type Cadence } from './recommend-cadence.ts';

const SERIES = 'hub-heartbeats';
const WATCHED = 'hub-heartbeats-due';

/** An agent may be late by half its cadence, and by no less than this. */
const MIN_GRACE_SECONDS = 30;

export interface StoredHeartbeat {
  readonly series: HeartbeatSeries;
  readonly cadence: Cadence;
}

/** An agent that was due and did not come. */
export interface MissedAgent {
  readonly agentId: string;
  readonly lastSeenAt: number;
  readonly noticedAt: number;
  readonly cadenceSeconds: number;
}

/**
 * The heartbeats of all agents.
 *
 * Responsible for a series per agent in one record of limited size, and for every agent that has sent a heartbeat being
 * looked at again when it is due. A heartbeat costs one read and one write; the list of who is due is only touched when
 * the agent has no entry there, or has to be looked at earlier than that says.
 * Leaves what follows from a missing agent to whoever asks `takeMissed`.
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

  /** Adds a heartbeat, and says when the next one should come. */
  async add(agentId: string, metrics: HeartbeatMetrics): Promise<StoredHeartbeat> {
    for (;;) {
      const value = await this.#store.getRecord(SERIES, agentId);
      const kept = this.#withHeartbeat(value === undefined ? undefined : decodeSeries(value), metrics);
      const { dueAt, watchedAt } = kept.series;
      const isNewEntry = dueAt === watchedAt;
      // Before the series: an entry that nobody refers to is dropped when it comes up, a missing one would be for ever.
      if (isNewEntry) await this.#due.add({ at: dueAt, name: agentId });
      if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(kept.series))) return kept;
    }
  }

  /**
   * The agents that were due at this moment and have not come, each given out once; `alarm` is called before it is
   * forgotten that the agent was due, so that a crash repeats the alarm and never loses it.
   */
  async takeMissed(limit: number, alarm: (missed: MissedAgent) => Promise<void>): Promise<number> {
    const now = this.#now();
    const entries = await this.#due.due(now, limit);
    for (const entry of entries) await this.#look(entry, now, alarm);
    return entries.length;
  }

  async #look(entry: DueEntry, now: number, alarm: (missed: MissedAgent) => Promise<void>): Promise<void> {
    const agentId = entry.name;
    const value = await this.#store.getRecord(SERIES, agentId);
    const series = value === undefined ? undefined : decodeSeries(value);
    if (series?.watchedAt === entry.at) {
      if (series.dueAt > now) await this.#watchLater(agentId, value, series);
      else await this.#miss(agentId, value, series, now, alarm);
    }
    await this.#due.remove(entry);
  }

  async #watchLater(agentId: string, value: string | undefined, series: HeartbeatSeries): Promise<void> {
    await this.#due.add({ at: series.dueAt, name: agentId });
    const later = { ...series, watchedAt: series.dueAt };
    if (await this.#store.replaceRecord(SERIES, agentId, value, encodeSeries(later))) return;
    // A heartbeat came in between; its series still names the entry that is about to go.
    await this.#watchAgain(agentId);
  }

  async #miss(
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
    await this.#watchAgain(agentId);
  }

  /** Makes the entry of a series that changed while it was looked at. */
  async #watchAgain(agentId: string): Promise<void> {
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
