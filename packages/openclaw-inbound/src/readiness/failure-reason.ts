import { isStoreError } from '@holdword/store';
import type { AccountConfig } from '../config/account-config.ts';
import type { Reason } from './reason.ts';

/** Why an account did not start, from what its start was rejected with. */
export function failureReason(error: unknown, { accountId }: Pick<AccountConfig, 'accountId'>): Reason {
  const store = `channels.a2a.accounts.${accountId}.taskStore`;
  const said = error instanceof Error ? error.message : String(error);
  if (!isStoreError(error)) return { code: 'start-failed', message: said };
  if (error.code === 'in-use') {
    return {
      code: 'store-in-use',
      message: `${store} is in use by another process. Stop that one, or give this account another place.`,
    };
  }
  // The stores name the option of the command line, which is no help here.
  const advice = said.replaceAll('--data folder', 'folder');
  return { code: 'store-unusable', message: `${store} cannot be used. ${advice}` };
}

/** Why an account has no routes, from what the host said. */
export function routeReason(error: unknown, { accountId }: Pick<AccountConfig, 'accountId'>): Reason {
  const said = error instanceof Error ? error.message : String(error);
  return {
    code: 'path-conflict',
    message:
      `A path of account "${accountId}" is taken: ${said}. ` +
      'Change agentCardPath or jsonRpcPath of this account, or switch the other plugin off.',
  };
}
