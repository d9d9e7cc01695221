import { startRuntime, type Log } from '@parley/runtime';
import type { CallerOf } from '../auth/caller.ts';
import { anonymousCaller } from '../auth/anonymous-caller.ts';
import type { AccountConfig } from '../config/account-config.ts';
import { OpenClawExecutor } from '../dispatch/openclaw-executor.ts';
import type { Host } from '../host/host.ts';
import { serveAccount } from '../serve/serve-account.ts';
import { openTaskStore } from '../stores/open-task-store.ts';

export interface StartAccountOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly log: Log;
}

/** An account that can be reached. */
export interface RunningAccount {
  readonly status: { readonly running: number; readonly queued: number };
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

/** Starts what an account consists of: its store, the runtime on it, and the routes to it. */
export async function startAccount({ config, host, log }: StartAccountOptions): Promise<RunningAccount> {
  const callerOf: CallerOf = (owner) => anonymousCaller(config, owner);
  const store = await openTaskStore(config.taskStore);
  const executor = new OpenClawExecutor({ config, host, callerOf });
  const runtime = await startRuntime({ store, executor, log, push: config.features.push ? {} : false });
  const served = await serveAccount({ config, runtime, host, log });
  return {
    get status() {
      return runtime.activity;
    },
    stop: async (options) => {
      await served.close();
      await runtime.stop(options);
      await store.close();
    },
  };
}
