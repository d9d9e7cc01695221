import type { AccountEntry } from '../config/read-accounts.ts';
import { checkNetworking, type Prerequisite } from './check-networking.ts';
import { configReasons } from './config-reasons.ts';
import { describeReasons, type Reason } from './reason.ts';

/** What `openclaw channels status --probe` finds out about an account. */
export interface AccountProbe {
  /** It can start. Whether a call arrives is known to whoever runs the network: what may be missing is told. */
  readonly ok: boolean;
  /** What keeps it from starting. */
  readonly error?: string;
  readonly reasons: readonly Reason[];
  readonly prerequisites: readonly Prerequisite[];
  readonly warnings: readonly string[];
}

/** Looks at an account from outside: whether its configuration lets it start, and whether a call could arrive. */
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

/** What is wrong, in sentences that an operator reads; each thing once. */
export function probeComplaints({ reasons, prerequisites, warnings }: AccountProbe): string[] {
  const missing = prerequisites.filter(
    ({ name, met }) => !met && !(name === 'public-base-url' && reasons.length > 0),
  );
  const complaints = [
    ...reasons.map((reason) => describeReasons([reason])),
    ...missing.map(({ message }) => message),
  ];
  return complaints.concat(warnings);
}
