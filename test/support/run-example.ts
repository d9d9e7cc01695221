import { join } from 'node:path';
import { HoldwordProcess, type HoldwordProcessOptions } from '@holdword/cli/testing';
import { onTestFinished } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** Runs an example in a child process that ends with the test. */
export function runExample(
  file: string,
  words: readonly string[],
  options: Omit<HoldwordProcessOptions, 'program'> = {},
): HoldwordProcess {
  const example = new HoldwordProcess(words, { ...options, program: join(EXAMPLES, file) });
  onTestFinished(() => example.kill());
  return example;
}
