import { onTestFinished } from 'vitest';
import { ParleyProcess, type ParleyProcessOptions } from './parley-process.ts';

/** Runs the program in a process that does not outlive the test. */
export function startParley(words: readonly string[], options: ParleyProcessOptions = {}): ParleyProcess {
  const parley = new ParleyProcess(words, options);
  onTestFinished(() => parley.kill());
  return parley;
}
