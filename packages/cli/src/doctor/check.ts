import { CommandError, UsageError } from '../usage-error.ts';

/** Who has to do something about a problem. */
export type Side = 'this machine' | 'the agent' | 'the network' | 'OpenClaw';

/** What a check has found. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'problem';
  /** One or two sentences. */
  readonly found: string;
  readonly side?: Side;
  /** The command, or what to do, that mends it. */
  readonly fix?: string;
  /** The checks after it in its family would only find the same again. */
  readonly isLast?: boolean;
}

/** One thing that can be wrong. A family of checks is a list of them, in the order in which they depend on each other. */
export interface Check<Subject> {
  readonly id: string;
  /** Resolves with nothing if there is nothing to check. */
  readonly run: (subject: Subject) => Promise<Finding | undefined>;
}

/** A finding of a check, as it is printed. */
export interface CheckResult extends Omit<Finding, 'isLast'> {
  readonly check: string;
}

export function fine(found: string): Finding {
  return { status: 'ok', found };
}

export function warning(side: Side, found: string, fix?: string): Finding {
  return { status: 'warning', found, side, ...(fix !== undefined && { fix }) };
}

export function problem(side: Side, found: string, fix?: string): Finding {
  return { status: 'problem', found, side, ...(fix !== undefined && { fix }) };
}

/** A problem without whose solution nothing else of the family can be checked. */
export function blocking(side: Side, found: string, fix?: string): Finding {
  return { ...problem(side, found, fix), isLast: true };
}

/** Runs the checks of a family one after the other, until one of them leaves nothing to check. */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { id, run } of checks) {
    const finding = await run(subject).catch(failed);
    if (finding === undefined) continue;
    const { isLast, ...rest } = finding;
    results.push({ check: id, ...rest });
    if (isLast === true) break;
  }
  return results;
}

/** What a command would report as its error is a finding. Anything else is a defect of the check. */
function failed(error: unknown): Finding {
  if (error instanceof UsageError || error instanceof CommandError)
    return blocking('this machine', error.message);
  throw error;
}
