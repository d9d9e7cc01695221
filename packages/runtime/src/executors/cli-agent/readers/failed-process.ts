import type { CliEnd, CliOutcome } from '../profile.ts';

/** The outcome of a program that failed, from its exit code and stderr. */
export function failedProcess(name: string, end: CliEnd): Extract<CliOutcome, { state: 'failed' }> {
  const how = end.signal === null ? `exited with code ${end.exitCode}` : `was killed by ${end.signal}`;
  const text = `The agent ${name} ${how}${end.reason === '' ? ' without an error message.' : `: ${end.reason}`}`;
  return { state: 'failed', text, metadata: { exitCode: end.exitCode ?? end.signal } };
}
