import { ownerKey } from '@holdword/runtime/internal';
import type { RecordEntry, Store } from '@holdword/store';
import { HANDOFF_TIMES } from '../handoff/handoffs.ts';
import { ALARM_RECORDS } from '../heartbeats/alarm-records.ts';
import { HEARTBEAT_SERIES } from '../heartbeats/heartbeats.ts';
import { DEFAULT_HUB_SETTINGS, type HubSettings } from '../hub-settings.ts';
import { AGENTS } from '../identity/identities.ts';
import { ownerOfAgent, type AgentRecord } from '../identity/identity.ts';
import { POLLED_CALL_HOURS, POLLED_CALLS } from '../mcp/polled-calls.ts';
import { ADVICE } from '../incidents/advice-memory.ts';
import { CONTEXT_SESSIONS, SESSION_TIMES } from '../sessions/sessions.ts';
import { splitTimeKey } from '../wire/times.ts';
import { openHubRecords, type HubRecords } from './hub-directory.ts';

const HOUR = 3_600_000;
const PAGE = 100;
/** Lists that are ordered by time are read this far in one run: all that is old enough, unless that is very much. */
const MOST_PAGES = 20;

/**
 * Creates a retention hook that removes records of a hub that are over, as its settings say. Each run reads a bounded number of
 * records, and the next one continues where it stopped.
 *
 * @example
 * ```ts
 * import { createResponder, forgetHandoffs, forgetHubRecords } from '@holdword/hub';
 * import { openMemoryStore, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * await startRuntime({
 *   store,
 *   executor: createResponder({ store }),
 *   retention: { alsoForget: forgetHandoffs(store), alsoRun: forgetHubRecords(store) },
 * });
 * ```
 */
export function forgetHubRecords(
  store: Store,
  settings: Partial<HubSettings> = {},
  now: () => number = Date.now,
): (signal: AbortSignal) => Promise<number> {
  const all = { ...DEFAULT_HUB_SETTINGS, ...settings };
  const records = openHubRecords(store, all, now);
  const sweeps = createSweeps(records, all);
  const positions = new Map<string, string>();
  let openHandoffs: string | undefined;
  return async (signal) => {
    let removed = 0;
    for (const sweep of sweeps) {
      const until = now() - sweep.hours * HOUR;
      if (sweep.hours > 0) removed += await runSweep(store, sweep, until, positions, signal);
    }
    // Hand-offs that expired leave the list of open ones when it is read.
    const page = await records.handoffs.listOpen(['all'], {
      limit: 1,
      after: openHandoffs,
      accepts: () => false,
    });
    openHandoffs = page.next;
    return removed;
  };
}

/** One kind of records: the list that it is found by, and how one of them is removed. */
interface Sweep {
  readonly hours: number;
  readonly namespace: string;
  /** Whether the keys begin with a time: then the list is read up to the time from which on records are kept. */
  readonly isByTime: boolean;
  /** Removes the record if it has been over since `until`. Returns whether it did. */
  readonly remove: (entry: RecordEntry, until: number) => Promise<boolean>;
}

function createSweeps(records: HubRecords, { retention }: HubSettings): readonly Sweep[] {
  const { store, sessions, handoffs, heartbeats } = records;
  const { sessionHours, handoffHours, alarmHours, heartbeatHours, agentHours } = retention;
  return [
    {
      hours: sessionHours,
      namespace: SESSION_TIMES,
      isByTime: true,
      async remove({ key, value }, until) {
        const session = await sessions.find(value);
        if (session === undefined) return store.deleteRecord(SESSION_TIMES, key);
        if (session.expiresAt > until) return false;
        await sessions.remove(session);
        return true;
      },
    },
    {
      hours: sessionHours,
      namespace: CONTEXT_SESSIONS,
      isByTime: false,
      async remove({ key, value }) {
        if ((await sessions.find(value)) !== undefined) return false;
        return store.deleteRecord(CONTEXT_SESSIONS, key, value);
      },
    },
    {
      hours: handoffHours,
      namespace: HANDOFF_TIMES,
      isByTime: true,
      async remove({ key, value }, until) {
        if ((await handoffs.find(value)) === undefined) return store.deleteRecord(HANDOFF_TIMES, key);
        return handoffs.removeOver(value, until);
      },
    },
    {
      hours: alarmHours,
      namespace: ALARM_RECORDS,
      isByTime: true,
      remove: ({ key }) => store.deleteRecord(ALARM_RECORDS, key),
    },
    {
      hours: POLLED_CALL_HOURS,
      namespace: POLLED_CALLS,
      isByTime: true,
      remove: ({ key }) => store.deleteRecord(POLLED_CALLS, key),
    },
    {
      hours: heartbeatHours,
      namespace: HEARTBEAT_SERIES,
      isByTime: false,
      remove: ({ key }, until) => heartbeats.removeSilent(key, until),
    },
    {
      hours: agentHours,
      namespace: AGENTS,
      isByTime: false,
      remove: ({ key }, until) => removeUnused(records, key, until),
    },
  ];
}

/**
 * Removes a deleted agent, whose name is then free, or one with a generated id that is no longer used. Never while the name
 * owns tasks, which whoever has it would see, or is blocked.
 */
async function removeUnused(
  { store, identities, sessions, heartbeats }: HubRecords,
  agentId: string,
  until: number,
): Promise<boolean> {
  const agent = await identities.find(agentId);
  if (agent === undefined || agent.blocked !== undefined || !mayBeUnused(agent, until)) return false;
  const latest = await sessions.latest(agentId);
  if ((latest?.lastUsedAt ?? 0) > until || (await heartbeats.read(agentId)) !== undefined) return false;
  const { tasks } = await store.readUsage(ownerKey(ownerOfAgent(agentId)));
  if (tasks > 0 || !(await identities.remove(agent))) return false;
  await store.deleteRecord(ADVICE, agentId);
  return true;
}

function mayBeUnused({ mode, deleted, firstSeenAt }: AgentRecord, until: number): boolean {
  if (deleted !== undefined) return deleted.at <= until;
  return mode === 'ephemeral_hospitality' && firstSeenAt <= until;
}

async function runSweep(
  store: Store,
  { namespace, isByTime, remove }: Sweep,
  until: number,
  positions: Map<string, string>,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let pages = 0; pages < (isByTime ? MOST_PAGES : 1); pages += 1) {
    const after = positions.get(namespace);
    const page = { limit: PAGE, ...(after !== undefined && { after }) };
    const entries = await store.listRecords(namespace, undefined, page);
    const old = isByTime ? entries.filter(({ key }) => splitTimeKey(key).time <= until) : entries;
    for (const entry of old) {
      if (signal.aborted) return removed;
      if (await remove(entry, until)) removed += 1;
      positions.set(namespace, entry.key);
    }
    if (old.length < PAGE) {
      positions.delete(namespace);
      return removed;
    }
  }
  return removed;
}
