import type { Store } from '@holdword/store';
import { OPEN_HANDOFFS } from '../handoff/handoffs.ts';
import { MISSING_AGENTS, WATCHED_AGENTS } from '../heartbeats/heartbeats.ts';
import { BLOCKED_AGENTS } from '../identity/identities.ts';
import { splitTimeKey } from '../wire/times.ts';

/** How many agents and hand-offs of a hub are in which state. */
export interface HubCensus {
  /** Agents that send heartbeats and are not missing. */
  readonly alive: number;
  readonly missing: number;
  readonly blocked: number;
  /** Hand-offs that are offered or held; those that expired within the last minute may still count. */
  readonly openHandoffs: number;
}

const VALID_MILLISECONDS = 10_000;

/** Counts from the lists of a hub, however often it is asked, every ten seconds. */
export function createCensus(store: Store, now: () => number = Date.now): () => Promise<HubCensus> {
  let last: { readonly at: number; readonly census: Promise<HubCensus> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= VALID_MILLISECONDS)
      last = { at: now(), census: take(store) };
    return last.census;
  };
}

async function take(store: Store): Promise<HubCensus> {
  const [watched, missing, blocked, open] = await Promise.all([
    namesIn(store, WATCHED_AGENTS, '', (key) => splitTimeKey(key).rest),
    namesIn(store, MISSING_AGENTS),
    namesIn(store, BLOCKED_AGENTS),
    namesIn(store, OPEN_HANDOFFS, 'all/'),
  ]);
  const alive = [...watched].filter((name) => !missing.has(name) && !blocked.has(name));
  return { alive: alive.length, missing: missing.size, blocked: blocked.size, openHandoffs: open.size };
}

const PAGE = 1_000;
/** Beyond this many, the number stands for that many or more. */
const MOST_PAGES = 200;

/** The names in a list. Its entries are small: keys without values. */
async function namesIn(
  store: Store,
  namespace: string,
  prefix = '',
  nameOf = (key: string): string => key,
): Promise<Set<string>> {
  const names = new Set<string>();
  let after: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = { limit: PAGE, ...(after !== undefined && { after }) };
    const records = await store.listRecords(namespace, prefix, page);
    for (const { key } of records) names.add(nameOf(key));
    if (records.length < PAGE) break;
    after = records.at(-1)?.key;
  }
  return names;
}
