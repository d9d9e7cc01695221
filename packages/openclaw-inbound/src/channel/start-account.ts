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

/** A turn is retried every few seconds while the gateway is busy in its session; this covers the gateway's own runs. */
const MAX_ATTEMPTS = 30;

export interface StartAccountOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly log: Log;
  /** Routes that outlive the account. @default routes owned by the account */
  readonly routes?: GatewayRoutes;
}

/** An account that accepts requests. */
export interface RunningAccount {
  readonly status: { readonly running: number; readonly queued: number };
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

/** Starts an account: its routes, its store and its runtime. */
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
      maxAttempts: MAX_ATTEMPTS,
      // The payloads must not contain vendor metadata; SSE event IDs carry the sequence numbers.
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
