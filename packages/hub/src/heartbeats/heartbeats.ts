import type { Store } from '@holdword/store';
import { DEFAULT_HUB_SETTINGS, type HubSettings } from '../hub-settings.ts';
import { recommendCadence } from './cadence.ts';
import { DueList, type DueEntry } from './due-list.ts';
import { addBeat, expectedCadence, missingAfterSeconds } from './expected-cadence.ts';
import {
  addSample,
  decodeSeries,
  encodeSeries,
  lastSeenAt,
  type Absence,
  type HeartbeatMetrics,
  type HeartbeatSeries,
} from './heartbeat-series.ts';

export const HEARTBEAT_SERIES = 'hub-heartbeats';
/** By the time of their next check: the agents that are watched. */
export const WATCHED_AGENTS = 'hub-heartbeats-due';
/** The agents that are missing. */
export const MISSING_AGENTS = 'hub-missing-agents';

/** A heartbeat that arrived. */
export interface Heartbeat extends HeartbeatMetrics {
  /** The cadence that the agent declares with it; null takes an earlier declaration back. */
  readonly declaredSeconds?: number | null | undefined;
}

/** An agent that is overdue, or that was and has returned. */
export interface PresenceChange {
  readonly agentId: string;
  readonly lastSeenAt: number;
  readonly noticedAt: number;
  /** Set if the agent has returned. */
  readonly returnedAt?: number;
  readonly cadenceSeconds: number;
}

type Report = (change: PresenceChange) => Promise<void>;

/**
 * The heartbeats of all agents.
 *
 * Responsible for one bounded record per agent, and for checking every agent again when its next sign of life is due. A
 * heartbeat costs one read and one write; the due list changes only if the agent has no entry in it or must be checked
 * earlier than its entry says.
 * Leaves the reaction to a missing or returned agent to the caller of `takeChanges`.
 */
export class Heartbeats {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #settings: Pick<HubSettings, 'cadenceSeconds' | 'graceSeconds'>;
  readonly #due: DueList;

  constructor(
    store: Store,
    now: () => number,
    settings: Pick<HubSettings, 'cadenceSeconds' | 'graceSeconds'> = DEFAULT_HUB_SETTINGS,
  ) {
    this.#store = store;
    this.#now = now;
    this.#settings = settings;
    this.#due = new DueList(store, WATCHED_AGENTS);
  }

  async read(agentId: string): Promise<HeartbeatSeries | undefined> {
    const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
    return value === undefined ? undefined : decodeSeries(value);
  }

  /** Stores a heartbeat. */
  async add(agentId: string, { declaredSeconds, ...metrics }: Heartbeat): Promise<HeartbeatSeries> {
    const change = (before: HeartbeatSeries | undefined, at: number): Grown => ({
      ...before,
      ...addSample(before, { at, ...metrics }),
      beats: addBeat(before?.beats ?? [], at),
      declaredSeconds:
        declaredSeconds === undefined ? before?.declaredSeconds : (declaredSeconds ?? undefined),
    });
    for (;;) {
      const added = await this.#change(agentId, change);
      if (added !== undefined) return added;
    }
  }

  /**
   * Notes a request of the agent other than a heartbeat. It postpones the check of an agent that sends heartbeats; it is
   * not written while the last sign of life is recent, so that requests cost no write each.
   */
  async seen(agentId: string): Promise<HeartbeatSeries | undefined> {
    const series = await this.read(agentId);
    if (series === undefined) return undefined;
    const age = this.#now() - lastSeenAt(series);
    if (series.missed === undefined && age * WRITES_PER_BEAT < series.cadenceSeconds * 1_000) return series;
    const change = (before: HeartbeatSeries | undefined, at: number): Grown => ({
      ...(before ?? series),
      requestAt: at,
    });
    // If the record changed in between, another sign of life was noted.
    return (await this.#change(agentId, change)) ?? series;
  }

  /**
   * Reports each agent that is overdue now, or has returned, to `report`, once. The due entry is removed only after
   * `report` has resolved, so a crash repeats a report but never loses one. Returns the number of entries checked.
   */
  async takeChanges(limit: number, report: Report): Promise<number> {
    const now = this.#now();
    const entries = await this.#due.due(now, limit);
    for (const entry of entries) await this.#check(entry, now, report);
    return entries.length;
  }

  /** Stops watching an agent: it is neither missing nor missed until it sends the next heartbeat. */
  async unwatch(agentId: string): Promise<void> {
    for (;;) {
      const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
      if (value === undefined) return;
      const { watchedAt, ...series } = decodeSeries(value);
      const unwatched = encodeSeries({ ...series, missed: undefined, returned: undefined });
      if (!(await this.#store.replaceRecord(HEARTBEAT_SERIES, agentId, value, unwatched))) continue;
      await this.#store.deleteRecord(MISSING_AGENTS, agentId);
      if (watchedAt !== undefined) await this.#due.remove({ at: watchedAt, name: agentId });
      return;
    }
  }

  /** Deletes the heartbeats of an agent. */
  async forget(agentId: string): Promise<void> {
    await this.unwatch(agentId);
    await this.#store.deleteRecord(HEARTBEAT_SERIES, agentId);
  }

  /** Deletes the heartbeats of an agent that is not watched and gave no sign of life since `until`. Returns whether it did. */
  async removeSilent(agentId: string, until: number): Promise<boolean> {
    const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
    if (value === undefined) return false;
    const series = decodeSeries(value);
    if (series.watchedAt !== undefined || lastSeenAt(series) > until) return false;
    // A heartbeat that arrives at the same time wins.
    if (!(await this.#store.deleteRecord(HEARTBEAT_SERIES, agentId, value))) return false;
    await this.#store.deleteRecord(MISSING_AGENTS, agentId);
    return true;
  }

  async #check(entry: DueEntry, now: number, report: Report): Promise<void> {
    const agentId = entry.name;
    const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
    const series = value === undefined ? undefined : decodeSeries(value);
    if (series?.watchedAt === entry.at) {
      const { returned, cadenceSeconds } = series;
      if (returned !== undefined) await report({ agentId, ...returned, cadenceSeconds });
      const reported = { ...series, returned: undefined };
      if (series.dueAt > now) await this.#reschedule(agentId, value, reported);
      else await this.#markMissed(agentId, value, reported, now, report);
    }
    await this.#due.remove(entry);
  }

  async #reschedule(agentId: string, value: string | undefined, series: HeartbeatSeries): Promise<void> {
    await this.#due.add({ at: series.dueAt, name: agentId });
    const later = { ...series, watchedAt: series.dueAt };
    if (await this.#store.replaceRecord(HEARTBEAT_SERIES, agentId, value, encodeSeries(later))) return;
    // A heartbeat arrived in between; its series still refers to the entry that is about to be removed.
    await this.#rescheduleAfterChange(agentId);
  }

  async #markMissed(
    agentId: string,
    value: string | undefined,
    series: HeartbeatSeries,
    now: number,
    report: Report,
  ): Promise<void> {
    const absence = { lastSeenAt: lastSeenAt(series), noticedAt: now };
    await report({ agentId, ...absence, cadenceSeconds: series.cadenceSeconds });
    const missed = { ...series, watchedAt: undefined, missed: absence };
    await this.#store.putRecord(MISSING_AGENTS, agentId, '');
    if (await this.#store.replaceRecord(HEARTBEAT_SERIES, agentId, value, encodeSeries(missed))) return;
    await this.#store.deleteRecord(MISSING_AGENTS, agentId);
    await this.#rescheduleAfterChange(agentId, absence);
  }

  /** Adds a new entry for a series that changed during the check, after the absence, if any, was reported. */
  async #rescheduleAfterChange(agentId: string, absence?: Absence): Promise<void> {
    for (;;) {
      const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
      if (value === undefined) return;
      const series = decodeSeries(value);
      if (series.watchedAt === undefined) return;
      const returned = absence && { ...absence, returnedAt: lastSeenAt(series) };
      // Not the time of the entry that is about to be removed.
      const watchedAt = returned === undefined ? series.dueAt : this.#now() + 1;
      await this.#due.add({ at: watchedAt, name: agentId });
      const watched = { ...series, watchedAt, returned };
      if (await this.#store.replaceRecord(HEARTBEAT_SERIES, agentId, value, encodeSeries(watched))) return;
    }
  }

  /** Changes the series of an agent that gave a sign of life; undefined if it was changed concurrently. */
  async #change(
    agentId: string,
    change: (before: HeartbeatSeries | undefined, at: number) => Grown,
  ): Promise<HeartbeatSeries | undefined> {
    const value = await this.#store.getRecord(HEARTBEAT_SERIES, agentId);
    const before = value === undefined ? undefined : decodeSeries(value);
    const at = this.#now();
    const series = this.#watched(before, change(before, at), at);
    const { watchedAt } = series;
    // Before the series: an entry without a series is dropped when it comes up, but a missing entry is never recovered.
    if (watchedAt !== undefined && watchedAt !== before?.watchedAt)
      await this.#due.add({ at: watchedAt, name: agentId });
    if (!(await this.#store.replaceRecord(HEARTBEAT_SERIES, agentId, value, encodeSeries(series))))
      return undefined;
    if (before?.missed !== undefined) await this.#store.deleteRecord(MISSING_AGENTS, agentId);
    return series;
  }

  /** Sets when the agent is missing and when it is checked next. A return is due at once, to be reported. */
  #watched(before: HeartbeatSeries | undefined, grown: Grown, at: number): HeartbeatSeries {
    const cadence = expectedCadence(grown, this.#settings);
    const dueAt = Math.round(at + 1_000 * missingAfterSeconds(cadence, this.#settings));
    const returned = before?.missed === undefined ? grown.returned : { ...before.missed, returnedAt: at };
    return {
      ...grown,
      cadenceSeconds: cadence.seconds,
      dueAt,
      watchedAt: Math.min(before?.watchedAt ?? dueAt, dueAt, returned?.returnedAt ?? dueAt),
      missed: undefined,
      returned,
    };
  }
}

/** How an agent is, by its heartbeats: `unknown` without any. */
export function healthOf(series: HeartbeatSeries | undefined): 'unknown' | 'missing' | 'incident' | 'steady' {
  if (series === undefined) return 'unknown';
  return series.missed === undefined ? recommendCadence(series.samples).mode : 'missing';
}

/** A request is noted if a sign of life is older than this fraction of the cadence. */
const WRITES_PER_BEAT = 4;

/** A series with a new sign of life, before its next check is known. */
type Grown = Pick<HeartbeatSeries, 'count' | 'samples' | 'hours'> & Partial<HeartbeatSeries>;
