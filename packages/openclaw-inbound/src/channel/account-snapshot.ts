import type { ChannelAccountSnapshot } from '../api.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { configReasons } from '../readiness/config-reasons.ts';
import type { AccountState } from './run-account.ts';

/** What `openclaw channels status` shows of an account, with the reason when it cannot be reached. */
export function accountSnapshot(entry: AccountEntry, state: AccountState): ChannelAccountSnapshot {
  const { accountId, enabled, config } = entry;
  const about = {
    accountId,
    enabled,
    configured: configReasons(entry).length === 0,
    ...(config?.label !== undefined && { name: config.label }),
  };
  switch (state.kind) {
    case 'ready': {
      const { running, queued } = state.account.status;
      const activeRuns = running + queued;
      return { ...about, ...UP, lifecycle: 'ready', busy: activeRuns > 0, activeRuns, lastError: null };
    }
    case 'starting':
      return { ...about, running: true, connected: false, lifecycle: 'starting' };
    case 'blocked': {
      const reason = state.reasons.map(({ message }) => message).join(' ');
      const stateReason = state.reasons.map(({ code }) => code).join(',');
      return {
        ...about,
        running: true,
        connected: false,
        lifecycle: 'blocked',
        stateReason,
        lastError: reason,
      };
    }
    case 'stopped':
      return { ...about, running: false, connected: false, lifecycle: 'stopped' };
  }
}

const UP = { running: true, connected: true } as const;
