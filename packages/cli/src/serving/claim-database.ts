import { withTimeout } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { CommandError } from '../usage-error.ts';

/** Which agents are served from a database, and until when their servers vouch for it. */
const NAMESPACE = 'served-agents';
const RENEWALS_WITHIN_LEASE = 3;
const RELEASE_MILLISECONDS = 1_000;

type ClaimStore = Pick<Store, 'isShared' | 'putRecord' | 'listRecords' | 'deleteRecord'>;

/** The statement that servers of an agent use a database. */
export interface DatabaseClaim {
  release(): Promise<void>;
}

/**
 * States that servers of this agent use the database. Servers that share one run each other's tasks, so all of them must serve
 * the same agent. Rejects if servers of another agent use it. A store that no other process can use needs no claim.
 */
export async function claimDatabase(
  store: ClaimStore,
  agentName: string,
  leaseMilliseconds: number,
): Promise<DatabaseClaim> {
  if (!store.isShared) return { release: async () => {} };
  const renew = (): Promise<void> =>
    store.putRecord(NAMESPACE, agentName, String(Date.now() + leaseMilliseconds));
  await renew();
  // Looked for after the own claim was made: of two agents that start at the same time, at least one sees the other.
  const other = await otherAgent(store, agentName);
  if (other !== undefined) {
    await store.deleteRecord(NAMESPACE, agentName);
    throw inUse(other, leaseMilliseconds);
  }
  // The heartbeat reports a database that cannot be written.
  const timer = setInterval(() => void renew().catch(() => {}), leaseMilliseconds / RENEWALS_WITHIN_LEASE);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      // Other servers of the agent renew it within seconds. If the database cannot be reached, it expires.
      await withTimeout(store.deleteRecord(NAMESPACE, agentName), RELEASE_MILLISECONDS).catch(() => {});
    },
  };
}

async function otherAgent(store: ClaimStore, agentName: string): Promise<string | undefined> {
  const now = Date.now();
  const claims = await store.listRecords(NAMESPACE);
  return claims.find(({ key, value }) => key !== agentName && Number(value) > now)?.key;
}

function inUse(agentName: string, leaseMilliseconds: number): CommandError {
  return new CommandError(
    `Servers of another agent, "${agentName}", use this database and schema, and servers that share one must serve the same ` +
      'agent. Give this one a schema of its own with --store-schema. To replace the other agent, stop its servers first; ' +
      `after a crash, wait ${Math.ceil(leaseMilliseconds / 1_000)} s.`,
  );
}
