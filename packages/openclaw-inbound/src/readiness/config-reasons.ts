import type { AccountEntry } from '../config/read-accounts.ts';
import type { Reason } from './reason.ts';

/** Why an account cannot start, judging by its configuration. */
export function configReasons({ accountId, config, problems }: AccountEntry): Reason[] {
  if (problems.length > 0) return problems.map((message) => ({ code: 'config-invalid', message }));
  if (config?.publicBaseUrl !== undefined) return [];
  return [
    {
      code: 'public-base-url-missing',
      message:
        `channels.a2a.accounts.${accountId}.publicBaseUrl is missing: the agent card needs an address. ` +
        'Set it to the URL at which other agents reach this gateway, such as https://agents.example.com.',
    },
  ];
}
