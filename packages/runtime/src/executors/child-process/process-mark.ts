import { randomBytes } from 'node:crypto';

const MARK_VARIABLE = 'HOLDWORD_PROCESS';

/** A unique mark for a process. */
export function newMark(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The environment variable that marks a process and, by inheritance, everything it starts. A server that runs inside a
 * marked process passes on the marks it carries, so that ending that process ends these as well.
 */
export function markVariable(mark: string): Record<string, string> {
  const inherited = process.env[MARK_VARIABLE];
  return { [MARK_VARIABLE]: inherited === undefined ? mark : `${inherited},${mark}` };
}

/** The marks in an environment as Linux shows it: assignments that end with a NUL byte. */
export function marksIn(environment: string): string[] {
  const assignment = environment.split('\0').find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return assignment?.slice(MARK_VARIABLE.length + 1).split(',') ?? [];
}
