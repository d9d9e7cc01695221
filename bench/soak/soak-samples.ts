import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from '../report/statistics.ts';

/** What a server uses at one moment. */
export interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
  readonly openFiles: number;
  /** The database with its log, in MB. */
  readonly storedMegabytes: number;
}

export const SERIES = {
  megabytes: 'resident memory, MB',
  openFiles: 'open files and sockets',
  storedMegabytes: 'database, MB',
} as const satisfies Partial<Record<keyof Sample, string>>;
export type SeriesName = keyof typeof SERIES;
export const SERIES_NAMES = [
  'megabytes',
  'openFiles',
  'storedMegabytes',
] as const satisfies readonly SeriesName[];

/** Linux only: elsewhere the figures of the process are NaN. */
export async function takeSample(processId: number, folder: string, startedAt: number): Promise<Sample> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  const files = await readdir(`/proc/${processId}/fd`).catch(() => undefined);
  return {
    minutes: (performance.now() - startedAt) / 60_000,
    megabytes: (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6,
    openFiles: files?.length ?? Number.NaN,
    storedMegabytes: (await sizeOf(folder)) / 1e6,
  };
}

async function sizeOf(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => /\.db(?:-wal)?$/.test(name));
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The first part of a run, in which caches fill and the first tasks are not old enough to be removed. */
const WARM_UP = 0.4;

/** The end of a run compared with what it was after the warm-up: medians of a fifth of the samples each. */
export function growthOf(samples: readonly Sample[], series: SeriesName): number {
  const values = samples.slice(Math.floor(samples.length * WARM_UP)).map((sample) => sample[series]);
  const part = Math.max(1, Math.floor(samples.length / 5));
  return median(values.slice(-part)) / median(values.slice(0, part));
}
