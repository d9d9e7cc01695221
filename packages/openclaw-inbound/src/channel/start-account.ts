import { startRuntime, type Log } from '@holdword/runtime';
import { accountAuthentication } from '../auth/account-authentication.ts';
import { createCallerOf } from '../auth/create-caller-of.ts';
import { createTurnGroupOf } from '../auth/create-turn-group-of.ts';
import type { AccountConfig } from '../config/account-config.ts';
import { OpenClawExecutor } from '../dispatch/openclaw-executor.ts';
import type { Host } from '../host/host.ts';
import { GatewayRoutes } from '../serve/gateway-routes.ts';
import { serveAccount } from '../serve/serve-account.ts';
import { openTaskStore } from '../stores/open-task-store.ts';

/** A gateway that is busy in a session is asked again every few seconds, for as long as its own work there may take. */
const MOST_ATTEMPTS = 30;

export interface StartAccountOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly log: Log;
  /** Routes that stay when the account does not; its own otherwise. */
  readonly routes?: GatewayRoutes;
}

/** An account that can be reached. */
export interface RunningAccount {
  readonly status: { readonly running: number; readonly queued: number };
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

/** Starts what an account consists of: the routes to it, its store, and the runtime on it. */
export async function startAccount({
  config,
  host,
  log,
  ...given
}: StartAccountOptions): Promise<RunningAccount> {
  const routes = given.routes ?? new GatewayRoutes(config, host, log);
  const opened: { close: () => unknown }[] = given.routes === undefined ? [routes] : [];
  try {
    const callerOf = createCallerOf(config);
    const authentication = await accountAuthentication(config, log);
    const store = await openTaskStore(config.taskStore, log);
    opened.unshift(store);
    const runtime = await startRuntime({
      store,
      executor: new OpenClawExecutor({ config, host, callerOf, log }),
      log,
      push: config.features.push ? { allowPrivate: config.pushAllowPrivate } : false,
      turnGroupOf: createTurnGroupOf(config.auth),
      maxAttempts: MOST_ATTEMPTS,
      // Nothing of ours in what a client reads; the ids of server-sent events carry the numbers.
      includeSequence: false,
    });
    const serving = serveAccount({ config, runtime, authentication, callerOf, routes, log });
    const served = await serving.catch(async (error: unknown) => {
      await runtime.stop({ graceMilliseconds: 0 });
      throw error;
    });
    return {
      get status() {
        return runtime.activity;
      },
      stop: async (options) => {
        served.close();
        await runtime.stop(options);
        for (const each of opened) await each.close();
      },
    };
  } catch (error) {
    for (const each of opened) await each.close();
    throw error;
  }
}
