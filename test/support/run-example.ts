import { join } from 'node:path';
import { ParleyProcess, type ParleyProcessOptions } from 'parley/testing';
import { onTestFinished } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** Runs a program of the examples in a process that does not outlive the test. */
export function runExample(
  file: string,
  words: readonly string[],
  options: Omit<ParleyProcessOptions, 'program'> = {},
): ParleyProcess {
  const example = new ParleyProcess(words, { ...options, program: join(EXAMPLES, file) });
  onTestFinished(() => example.kill());
  return example;
}
