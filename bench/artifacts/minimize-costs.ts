import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measure } from '../measures.ts';
import { atMost } from '../report/target.ts';
import type { TimedRatio } from './time-ratio.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'artifacts-program.ts');
const MEGABYTE = 1_000_000;

export interface ContentSizes {
  readonly bytes: number;
  readonly rounds: number;
}

/** The cost of minimizing a large table or text, compared with serializing it as JSON. */
export function minimizeCosts(
  content: 'table' | 'text',
  { bytes, rounds }: ContentSizes,
): { time: () => Promise<Measure>; memory: () => Promise<Measure> } {
  const megabytes = bytes / MEGABYTE;
  const measured = async <Result>(what: 'time' | 'memory'): Promise<Result> => {
    const words = ['--expose-gc', PROGRAM, content, what, `${bytes}`, `${rounds}`];
    const { stdout } = await run(process.execPath, words);
    return JSON.parse(stdout);
  };
  return {
    async time() {
      const result = await measured<TimedRatio>('time');
      return {
        figures: {
          [`${content}Milliseconds`]: result.milliseconds,
          [`${content}StringifyMilliseconds`]: result.stringifyMilliseconds,
        },
        target: atMost(`time for a ${content} of ${megabytes} MB over JSON.stringify`, 1.5, result.ratio),
      };
    },
    async memory() {
      const result = await measured<{ minimizeBytes: number; stringifyBytes: number }>('memory');
      return {
        figures: {
          [`${content}ExtraMegabytes`]: result.minimizeBytes / MEGABYTE,
          [`${content}StringifyExtraMegabytes`]: result.stringifyBytes / MEGABYTE,
        },
        target: atMost(
          `extra memory for a ${content} of ${megabytes} MB over its size`,
          0.3,
          result.minimizeBytes / bytes,
        ),
      };
    },
  };
}
