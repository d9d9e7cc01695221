import { isStoreError } from '@holdword/store';
import type { AccountConfig } from '../config/account-config.ts';
import type { Reason } from './reason.ts';

/** Maps a start error to a reason. */
export function failureReason(error: unknown, { accountId }: Pick<AccountConfig, 'accountId'>): Reason {
  const store = `channels.a2a.accounts.${accountId}.taskStore`;
  const cause = error instanceof Error ? error.message : String(error);
  if (!isStoreError(error)) return { code: 'start-failed', message: cause };
  if (error.code === 'in-use') {
    return {
      code: 'store-in-use',
      message: `${store} is in use by another process. Stop that process, or configure another task store.`,
    };
  }
  // The stores mention an option of the holdword command, which does not exist here.
  const advice = cause.replaceAll('--data folder', 'folder');
  return { code: 'store-unusable', message: `${store} cannot be used. ${advice}` };
}

/** Maps a route registration error to a reason. */
export function routeReason(error: unknown, { accountId }: Pick<AccountConfig, 'accountId'>): Reason {
  const cause = error instanceof Error ? error.message : String(error);
  return {
    code: 'path-conflict',
    message:
      `A path of account "${accountId}" is already in use: ${cause}. ` +
      'Change agentCardPath or jsonRpcPath of this account, or disable the other plugin.',
  };
}
