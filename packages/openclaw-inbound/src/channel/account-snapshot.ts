import type { ChannelAccountSnapshot } from '../api.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { configReasons } from '../readiness/config-reasons.ts';
import { describeReasons } from '../readiness/reason.ts';
import type { AccountState } from './run-account.ts';

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
  if (state.kind !== 'blocked') return {};
  // The host treats a retrying account as running, and `lastError` is the only reason it shows for one.
  return { lastError: describeReasons(state.reasons) };
}
