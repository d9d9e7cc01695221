import type { ChannelAccountSnapshot, ChannelStatusAdapter, ChannelStatusIssue } from '../api.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import { probeAccount, probeComplaints, type AccountProbe } from '../readiness/account-probe.ts';
import { accountSnapshot } from './account-snapshot.ts';

/** What `openclaw channels status` says of accounts: their state, why one cannot start, what may keep calls away. */
export const accountStatus: ChannelStatusAdapter<AccountEntry> = {
  probeAccount: async ({ account, cfg }) => probeAccount(account, cfg.gateway),
  // Looking costs nothing here, so that it is not left for when it is asked for.
  buildAccountSnapshot: ({ account, cfg, runtime }) => ({
    ...accountSnapshot(account, { kind: 'stopped' }),
    ...runtime,
    probe: { ...probeAccount(account, cfg.gateway), ...failureOf(runtime) },
  }),
  collectStatusIssues: (accounts) => accounts.filter(({ enabled }) => enabled !== false).flatMap(issuesOf),
};

/** What keeps an account from being reached although its configuration is right. */
function failureOf(runtime: ChannelAccountSnapshot | undefined): Partial<AccountProbe> {
  if (runtime?.lifecycle !== 'blocked') return {};
  return { ok: false, error: runtime.lastError ?? 'It cannot be reached.' };
}

function issuesOf({ accountId, probe }: ChannelAccountSnapshot): ChannelStatusIssue[] {
  if (!isProbe(probe)) return [];
  return probeComplaints(probe).map((message) => ({
    channel: CHANNEL_ID,
    accountId,
    kind: 'config',
    message,
  }));
}

/** Snapshots come back from the gateway, which may be of another version than this program. */
function isProbe(value: unknown): value is AccountProbe {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['reasons', 'prerequisites', 'warnings'].every((name) => Array.isArray(Reflect.get(value, name)))
  );
}
