import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdword/runtime';
import type { AccountConfig } from '../config/account-config.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import type { Host } from '../host/host.ts';
import { configReasons } from '../readiness/config-reasons.ts';
import { failureReason, routeReason } from '../readiness/failure-reason.ts';
import type { Reason } from '../readiness/reason.ts';
import { GatewayRoutes } from '../serve/gateway-routes.ts';
import { startAccount, type RunningAccount } from './start-account.ts';

/** What an account does at a moment. */
export type AccountState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly account: RunningAccount }
  | { readonly kind: 'blocked'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'stopped' };

export interface RunAccountOptions {
  readonly entry: AccountEntry;
  readonly host: Host;
  readonly log: Log;
  /** Ends the account. */
  readonly signal: AbortSignal;
  readonly onState: (state: AccountState) => void;
  /** How long an account that cannot start waits before it tries again; 10 s by default. */
  readonly retryMilliseconds?: number;
}

const RETRY_MILLISECONDS = 10_000;
/** The host waits for 5 s and then takes the account for stuck; ending turns and closing the store take some of that. */
const GRACE_MILLISECONDS = 2_000;

/**
 * Keeps an account running until its signal fires.
 *
 * Responsible for an account that cannot start: it says why, answers on its routes that it is not running, and tries
 * again, because a store may be given back and a path become free. What is wrong in the configuration is not tried
 * again: the host starts the account anew when that changes.
 */
export async function runAccount(options: RunAccountOptions): Promise<void> {
  const { entry, signal, onState, log } = options;
  for (const warning of entry.warnings) log.warn(warning);
  try {
    const reasons = configReasons(entry);
    if (entry.config === undefined || reasons.length > 0) {
      block(options, reasons);
      await fired(signal);
      return;
    }
    await runRouted(options, entry.config);
  } finally {
    onState({ kind: 'stopped' });
  }
}

async function runRouted(options: RunAccountOptions, config: AccountConfig): Promise<void> {
  const { host, log, signal } = options;
  const routes = await untilItWorks(
    options,
    async () => new GatewayRoutes(config, host, log),
    (error) => routeReason(error, config),
  );
  if (routes === undefined) return;
  try {
    const account = await untilItWorks(
      options,
      () => startAccount({ config, host, log, routes }),
      (error) => failureReason(error, config),
    );
    if (account === undefined) return;
    options.onState({ kind: 'ready', account });
    await fired(signal);
    await account.stop({ graceMilliseconds: GRACE_MILLISECONDS });
  } finally {
    routes.close();
  }
}

/** Undefined when the signal fired first. */
async function untilItWorks<Result>(
  options: RunAccountOptions,
  attempt: () => Promise<Result>,
  reasonOf: (error: unknown) => Reason,
): Promise<Result | undefined> {
  const { signal, onState, retryMilliseconds = RETRY_MILLISECONDS } = options;
  let told = '';
  onState({ kind: 'starting' });
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      const reason = reasonOf(error);
      // The same once: an account may wait for days.
      if (reason.message !== told) block(options, [reason]);
      told = reason.message;
      await pause(retryMilliseconds, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

function block({ onState, log }: RunAccountOptions, reasons: readonly Reason[]): void {
  for (const { code, message } of reasons)
    log.error(`An account cannot be reached: ${message}`, { reason: code });
  onState({ kind: 'blocked', reasons });
}

async function fired(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
