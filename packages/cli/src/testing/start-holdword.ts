import { onTestFinished } from 'vitest';
import { HoldwordProcess, type HoldwordProcessOptions } from './holdword-process.ts';

/** Runs the program in a process that is killed when the test ends. */
export function startHoldword(
  words: readonly string[],
  options: HoldwordProcessOptions = {},
): HoldwordProcess {
  const holdword = new HoldwordProcess(words, options);
  onTestFinished(() => holdword.kill());
  return holdword;
}
