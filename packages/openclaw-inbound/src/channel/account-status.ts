import type { ChannelAccountSnapshot, ChannelStatusAdapter, ChannelStatusIssue } from '../api.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import { accessIssue, type AccountProbe, probeAccount, probeIssues } from './account-probe.ts';
import { configReasons, describeReasons } from './reasons.ts';
import type { AccountState } from './run-account.ts';

/** What `openclaw channels status` shows for accounts: their state, why one cannot start, what may block requests. */
export const accountStatus: ChannelStatusAdapter<AccountEntry> = {
  probeAccount: async ({ account, cfg }) => probeAccount(account, cfg.gateway),
  // The probe is cheap, so it is part of every snapshot.
  buildAccountSnapshot: ({ account, cfg, runtime }) => ({
    ...accountSnapshot(account, { kind: 'stopped' }),
    ...runtime,
    probe: { ...probeAccount(account, cfg.gateway), ...failureOf(runtime) },
  }),
  collectStatusIssues: (accounts) => accounts.filter(({ enabled }) => enabled !== false).flatMap(issuesOf),
};

/** The reason why an account with a valid configuration is unreachable. */
function failureOf(runtime: ChannelAccountSnapshot | undefined): Partial<AccountProbe> {
  if (runtime?.lifecycle !== 'blocked') return {};
  return { ok: false, error: runtime.lastError ?? 'The account is unreachable.' };
}

function issuesOf({ accountId, probe }: ChannelAccountSnapshot): ChannelStatusIssue[] {
  if (!isProbe(probe)) return [];
  const issue = (kind: ChannelStatusIssue['kind'], message: string): ChannelStatusIssue => ({
    channel: CHANNEL_ID,
    accountId,
    kind,
    message,
  });
  const access = accessIssue(probe);
  return [
    ...(access === undefined ? [] : [issue('permissions', access)]),
    ...probeIssues(probe).map((message) => issue('config', message)),
  ];
}

/** Snapshots come from the gateway, which may run another version of this plugin. */
function isProbe(value: unknown): value is AccountProbe {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['reasons', 'prerequisites', 'warnings'].every((name) => Array.isArray(Reflect.get(value, name)))
  );
}

/** What `openclaw channels status` shows for an account, with the reason if it is unreachable. */
export function accountSnapshot(entry: AccountEntry, state: AccountState): ChannelAccountSnapshot {
  const { accountId, enabled, config } = entry;
  return {
    accountId,
    enabled,
    configured: configReasons(entry).length === 0,
    ...(config?.label !== undefined && { name: config.label }),
    running: state.kind !== 'stopped',
    connected: state.kind === 'ready',
    lifecycle: state.kind,
    ...detailsOf(state),
  };
}

function detailsOf(state: AccountState): Partial<ChannelAccountSnapshot> {
  if (state.kind === 'ready') {
    const { running, queued } = state.account.status;
    const activeRuns = running + queued;
    return { busy: activeRuns > 0, activeRuns, lastError: null };
  }
  // Otherwise the reason of an earlier configuration stays in the status, next to the new one.
  if (state.kind !== 'blocked') return { lastError: null };
  // The host treats a retrying account as running, and `lastError` is the only reason it shows for one.
  return { lastError: describeReasons(state.reasons) };
}
