import type { AccountEntry } from '../config/read-accounts.ts';
import { checkNetworking, type Prerequisite } from './check-networking.ts';
import { configReasons } from './config-reasons.ts';
import { describeReasons, type Reason } from './reason.ts';

/** The result of `openclaw channels status --probe` for an account. */
export interface AccountProbe {
  /** The account can start. Whether requests arrive depends on the network; `prerequisites` lists what may be missing. */
  readonly ok: boolean;
  /** Why it cannot start. */
  readonly error?: string;
  readonly reasons: readonly Reason[];
  readonly prerequisites: readonly Prerequisite[];
  readonly warnings: readonly string[];
}

/** Checks whether an account's configuration allows it to start, and whether requests can reach it. */
export function probeAccount(entry: AccountEntry, gateway: unknown): AccountProbe {
  const reasons = configReasons(entry);
  const prerequisites = checkNetworking(entry.config?.publicBaseUrl, gateway);
  return {
    ok: reasons.length === 0,
    ...(reasons.length > 0 && { error: describeReasons(reasons) }),
    reasons,
    prerequisites,
    warnings: entry.warnings,
  };
}

/** The issues for an operator, without duplicates. */
export function probeIssues({ reasons, prerequisites, warnings }: AccountProbe): string[] {
  const missing = prerequisites.filter(
    ({ name, met }) => !met && !(name === 'public-base-url' && reasons.length > 0),
  );
  const issues = [
    ...reasons.map((reason) => describeReasons([reason])),
    ...missing.map(({ message }) => message),
  ];
  return issues.concat(warnings);
}
