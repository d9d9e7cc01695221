import { randomBytes } from 'node:crypto';

const MARK_VARIABLE = 'HOLDWORD_PROCESS';

/** A name that no other process has ever had. */
export function newMark(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The variable that marks a process and, by inheritance, everything it starts. A server that itself runs inside a marked
 * process passes on the marks it carries: whoever ends that one ends these too.
 */
export function markVariable(mark: string): Record<string, string> {
  const inherited = process.env[MARK_VARIABLE];
  return { [MARK_VARIABLE]: inherited === undefined ? mark : `${inherited},${mark}` };
}

/** The marks in an environment as Linux shows it: assignments that end with a zero byte. */
export function marksIn(environment: string): string[] {
  const assignment = environment.split('\0').find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return assignment?.slice(MARK_VARIABLE.length + 1).split(',') ?? [];
}
