import { isStoreError } from '@holdword/store';
import type { AccountConfig } from '../config/account-config.ts';
import type { AccountEntry } from '../config/read-accounts.ts';

/** Why an account is unreachable: a code for programs and a message that says what to do. */
export interface Reason {
  readonly code:
    | 'config-invalid'
    | 'public-base-url-missing'
    | 'host-refused'
    | 'path-conflict'
    | 'store-in-use'
    | 'store-unusable'
    | 'start-failed';
  readonly message: string;
}

/** All reasons as one string, each with its code. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(({ code, message }) => `${code}: ${message}`).join(' ');
}

/** What kinds of reasons there are, for a line that is followed by their messages. */
export function reasonCodes(reasons: readonly Reason[]): string {
  return [...new Set(reasons.map(({ code }) => code))].join(', ');
}

/** Why an account cannot start, judging by its configuration. */
export function configReasons({ accountId, config, problems }: AccountEntry): Reason[] {
  if (problems.length > 0) return problems.map((message) => ({ code: 'config-invalid', message }));
  if (config?.publicBaseUrl !== undefined || config?.connect !== undefined) return [];
  return [
    {
      code: 'public-base-url-missing',
      message:
        `channels.a2a.accounts.${accountId}.publicBaseUrl is missing: the agent card needs an address. ` +
        'Set it to the URL at which other agents reach this gateway, such as https://agents.example.com, or set connect to ' +
        'a host that serves the agent without one.',
    },
  ];
}

/** Maps a start error to a reason. */
export function failureReason(
  error: unknown,
  { accountId, taskStore }: Pick<AccountConfig, 'accountId' | 'taskStore'>,
): Reason {
  const folder = 'path' in taskStore ? ` (${taskStore.path})` : '';
  const store = `channels.a2a.accounts.${accountId}.taskStore${folder}`;
  const cause = error instanceof Error ? error.message : String(error);
  if (!isStoreError(error)) return { code: 'start-failed', message: cause };
  if (error.code === 'in-use') {
    return {
      code: 'store-in-use',
      message: `${store} is in use by another process. Stop that process, or configure another task store.`,
    };
  }
  return { code: 'store-unusable', message: `${store} cannot be used. ${cause}` };
}

/** Maps an error of connecting to a reason. A host that cannot be reached is none: the account keeps trying. */
export function hostReason(
  error: unknown,
  { accountId, connect }: Pick<AccountConfig, 'accountId' | 'connect'>,
): Reason {
  const cause = error instanceof Error ? error.message : String(error);
  return {
    code: 'host-refused',
    message:
      `The host ${connect?.host} refuses channels.a2a.accounts.${accountId}.connect.token. ${cause} ` +
      'Use the token that "holdword agents add" or "holdword agents rotate" printed there.',
  };
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
