import type { Log } from '@holdword/runtime';
import type { AccountEntry } from '../config/read-accounts.ts';
import { configReasons, describeReasons } from './reasons.ts';

/** Shared by all copies of this code in the process: the gateway uses different ones for channels and hooks. */
const SHARED = Symbol.for('@holdword/openclaw-a2a-inbound/unstarted-accounts');

type Logger = Pick<Log, 'error'>;

/** What the gateway's log has been told. */
interface Told {
  readonly logger: Logger;
  /** The reasons by account. */
  readonly reasons: Map<string, string>;
}

/*
 * The gateway does not start an account with an invalid configuration, and does not log that. Other commands of OpenClaw read the
 * same configuration, so nothing is logged before a gateway has started.
 */

/** Begins to log why accounts do not start. */
export function logUnstarted(logger: Logger, entries: readonly AccountEntry[]): void {
  const told: Told = { logger, reasons: new Map() };
  Reflect.set(globalThis, SHARED, told);
  for (const entry of entries) canStart(entry);
}

/** Whether the configuration lets the account start. Logs once why it does not. */
export function canStart(entry: AccountEntry): boolean {
  const { accountId, enabled } = entry;
  const reasons = configReasons(entry);
  const told = Reflect.get(globalThis, SHARED) as Told | undefined;
  if (reasons.length === 0) {
    told?.reasons.delete(accountId);
    return true;
  }
  const described = describeReasons(reasons);
  if (told !== undefined && enabled && told.reasons.get(accountId) !== described) {
    told.reasons.set(accountId, described);
    told.logger.error(`Account "${accountId}" does not start: ${described}`);
  }
  return false;
}
