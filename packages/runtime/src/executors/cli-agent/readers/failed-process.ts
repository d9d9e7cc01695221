import type { CliEnd, CliOutcome } from '../profile.ts';

/** The outcome of a program that failed and left nothing but its exit code and its last words. */
export function failedProcess(name: string, end: CliEnd): Extract<CliOutcome, { state: 'failed' }> {
  const how = end.signal === null ? `ended with code ${end.exitCode}` : `was ended by ${end.signal}`;
  const text = `The agent ${name} ${how}${end.reason === '' ? ' and gave no reason.' : `: ${end.reason}`}`;
  return { state: 'failed', text, metadata: { exitCode: end.exitCode ?? end.signal } };
}
