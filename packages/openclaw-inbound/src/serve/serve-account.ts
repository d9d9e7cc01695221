import type { Log, Runtime } from '@parley/runtime';
import type { AccountConfig } from '../config/account-config.ts';
import type { Host } from '../host/host.ts';

export interface ServeAccountOptions {
  readonly config: AccountConfig;
  readonly runtime: Runtime;
  readonly host: Pick<Host, 'registerRoute'>;
  readonly log: Log;
}

/** The routes of an account on the gateway. */
export interface ServedAccount {
  close(): Promise<void>;
}

/** Serves an account's runtime on the gateway's HTTP server. Rejects when another plugin has one of its paths. */
export async function serveAccount(options: ServeAccountOptions): Promise<ServedAccount> {
  const { config, host } = options;
  const unregister = host.registerRoute({ path: config.jsonRpcPath, match: 'exact', handle: () => {} });
  return { close: async () => unregister() };
}
