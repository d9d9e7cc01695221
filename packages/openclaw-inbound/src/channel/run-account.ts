import { once } from 'node:events';
import { pause } from '@holdword/protocol/internal';
import { type Log, startRuntime } from '@holdword/runtime';
import { accountAuthentication } from '../auth/account-authentication.ts';
import { createCallerOf, createTurnGroupOf } from '../auth/caller.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { OpenClawExecutor } from '../dispatch/openclaw-executor.ts';
import type { Host } from '../host/host.ts';
import { GatewayRoutes } from '../serve/gateway-routes.ts';
import { serveAccount } from '../serve/serve-account.ts';
import { MemoryStores } from '../stores/memory-stores.ts';
import { openTaskStore } from '../stores/open-task-store.ts';
import { connectAccount, type ConnectAccountOptions, type RunningAccount } from './connect-account.ts';
import { CLOSE_IT, describeAccess, isOpen } from './describe-access.ts';
import { configReasons, failureReason, hostReason, type Reason, routeReason } from './reasons.ts';

/** The state of an account. */
export type AccountState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly account: RunningAccount }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'stopped' };

export interface RunAccountOptions {
  readonly entry: AccountEntry;
  readonly host: Host;
  readonly log: Log;
  /** Stops the account. */
  readonly signal: AbortSignal;
  readonly onState: (state: AccountState) => void;
  /** Where tasks in memory are kept while accounts restart. @default for this account only */
  readonly memoryStores?: MemoryStores | undefined;
  /** How long an account that cannot start waits before it retries. @default 10000 */
  readonly retryMilliseconds?: number | undefined;
}

const RETRY_MILLISECONDS = 10_000;
/** The host considers an account stuck after 5 s; stopping turns and closing the store need part of that. */
const GRACE_MILLISECONDS = 2_000;
/** A turn is retried every few seconds while the gateway is busy in its session; this covers the gateway's own runs. */
const MAX_ATTEMPTS = 30;

/**
 * Keeps an account running until its signal aborts.
 *
 * Responsible for an account that cannot start: it reports why, answers 503 on its routes, and retries, because a store may
 * be released and a path become free. An invalid configuration is not retried: the host restarts the account when the
 * configuration changes.
 */
export async function runAccount(options: RunAccountOptions): Promise<void> {
  const { entry, signal, onState, log } = options;
  for (const warning of entry.warnings) log.warn(warning);
  try {
    const reasons = configReasons(entry);
    if (entry.config === undefined || reasons.length > 0) {
      block(options, reasons);
      await aborted(signal);
      return;
    }
    const { connect, ...config } = entry.config;
    await (connect === undefined
      ? runRouted(options, entry.config)
      : runConnected(options, { ...config, connect }));
  } finally {
    onState({ kind: 'stopped' });
  }
}

async function runRouted(options: RunAccountOptions, config: AccountConfig): Promise<void> {
  const { host, log, memoryStores } = options;
  const routes = await retryUntilReady(
    options,
    async () => new GatewayRoutes(config, host, log),
    (error) => routeReason(error, config),
  );
  if (routes === undefined) return;
  try {
    const account = await retryUntilReady(
      options,
      () => startAccount({ config, host, log, routes, memoryStores }),
      (error) => failureReason(error, config),
    );
    await serveUntilStopped(options, config, account);
  } finally {
    routes.close();
  }
}

/** Without routes: the host has them. */
async function runConnected(
  options: RunAccountOptions,
  config: ConnectAccountOptions['config'],
): Promise<void> {
  const { host, log, signal } = options;
  const account = await retryUntilReady(
    options,
    () => connectAccount({ config, host, log, signal }),
    (error) => hostReason(error, config),
  );
  await serveUntilStopped(options, config, account);
}

async function serveUntilStopped(
  { onState, log, signal }: RunAccountOptions,
  config: AccountConfig,
  account: RunningAccount | undefined,
): Promise<void> {
  if (account === undefined) return;
  onState({ kind: 'ready', account });
  if (isOpen(config)) log.warn(`${describeAccess(config)} ${CLOSE_IT}`);
  else log.info(describeAccess(config));
  await aborted(signal);
  await account.stop({ graceMilliseconds: GRACE_MILLISECONDS });
}

/** Resolves to undefined if the signal aborts first. */
async function retryUntilReady<Result>(
  options: RunAccountOptions,
  attempt: () => Promise<Result>,
  reasonOf: (error: unknown) => Reason,
): Promise<Result | undefined> {
  const { signal, onState, retryMilliseconds = RETRY_MILLISECONDS } = options;
  let lastReported = '';
  onState({ kind: 'starting' });
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      const reason = reasonOf(error);
      // Reported once: an account may wait for days.
      if (reason.message !== lastReported) block(options, [reason]);
      lastReported = reason.message;
      await pause(retryMilliseconds, signal);
    }
  }
  return undefined;
}

/** The console of the gateway drops the name of the channel from the start of a line, so the account comes first. */
function block({ entry, onState, log }: RunAccountOptions, reasons: readonly Reason[]): void {
  for (const { code, message } of reasons)
    log.error(`Account "${entry.accountId}" is unreachable: ${message}`, { reason: code });
  onState({ kind: 'blocked', reasons });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

export interface StartAccountOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly log: Log;
  /** Routes that outlive the account. @default routes owned by the account */
  readonly routes?: GatewayRoutes | undefined;
  readonly memoryStores?: MemoryStores | undefined;
}

/** Starts an account: its routes, its store and its runtime. */
export async function startAccount({
  config,
  host,
  log,
  memoryStores = new MemoryStores(),
  ...given
}: StartAccountOptions): Promise<RunningAccount> {
  const routes = given.routes ?? new GatewayRoutes(config, host, log);
  const opened: { close: () => unknown }[] = given.routes === undefined ? [routes] : [];
  try {
    const callerOf = createCallerOf(config);
    const authentication = await accountAuthentication(config, log);
    const taskStore = await openTaskStore(config, memoryStores, log);
    opened.unshift(taskStore);
    const runtime = await startRuntime({
      store: taskStore.store,
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
