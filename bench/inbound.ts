import { join } from 'node:path';
import type { Contender } from './inbound/contender.ts';
import { a2aContender, bareContender } from './inbound/contenders.ts';
import { startGateways, TOKEN } from './inbound/start-gateways.ts';
import { timeAlternately, type TimedTurns } from './inbound/time-alternately.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';
import { median, percentile } from './report/statistics.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { atMost } from './report/target.ts';

interface Plan extends TimedTurns {
  /** How often both gateways are started. */
  readonly starts: number;
}

const FULL: Plan = { starts: 2, warmUpTurns: 10, conversations: 3, turns: 20, restMilliseconds: 150 };
const QUICK: Plan = { starts: 1, warmUpTurns: 2, conversations: 1, turns: 3, restMilliseconds: 0 };
const TARGET_RATIO = 1;

/** The time of a text turn of OpenClaw through a plain dispatch, its own A2A channel, and ours on SQLite. */
export async function inbound({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const { starts, ...turns } = quick ? QUICK : FULL;
  const runs: Run[] = [];
  for (let start = 1; start <= starts; start += 1) {
    progress(`starting two gateways, ${start} of ${starts}`);
    runs.push(await runOnce(join(dataFolder, `start-${start}`), turns, progress));
  }
  const contenders = runs[0]?.contenders ?? [];
  return report(
    contenders,
    contenders.map((_, index) => runs.flatMap(({ times }) => times[index] ?? [])),
  );
}

interface Run {
  readonly contenders: readonly Contender[];
  /** The milliseconds of the turns of each contender. */
  readonly times: readonly (readonly number[])[];
}

async function runOnce(
  dataFolder: string,
  turns: TimedTurns,
  progress: (line: string) => void,
): Promise<Run> {
  const gateways = await startGateways(dataFolder);
  const contenders = [
    bareContender(gateways.bundledUrl),
    a2aContender({
      name: 'openclaw-a2a',
      title: "OpenClaw's A2A channel, in memory",
      url: new URL('/a2a/v1', gateways.bundledUrl),
      token: TOKEN,
    }),
    bareContender(gateways.oursUrl),
    a2aContender({
      name: 'holdword-inbound',
      title: 'holdword, on SQLite',
      url: new URL('/a2a/jsonrpc', gateways.oursUrl),
      token: TOKEN,
    }),
  ];
  try {
    return { contenders, times: await timeAlternately(contenders, turns, progress) };
  } finally {
    await gateways.close();
  }
}

function report(contenders: readonly Contender[], times: readonly (readonly number[])[]): BenchResult {
  const [bareA = [], bundled = [], bareB = [], ours = []] = times;
  // Each compared with the plain dispatch in the same gateway, turn by turn.
  const overheads = [[], overBare(bundled, bareA), [], overBare(ours, bareB)];
  const bundledP50 = figuresOf(bundled).p50Milliseconds;
  const rows = contenders.map(({ title }, index) =>
    rowOf(title, times[index] ?? [], overheads[index] ?? [], bundledP50),
  );
  const bare = median([...bareA, ...bareB]);
  const [bundledTurn = 0, oursTurn = 0] = [overheads[1], overheads[3]].map(
    (each = []) => bare + median(each),
  );
  const ratio = oursTurn / bundledTurn;
  return {
    report: {
      bench: 'inbound',
      peers: Object.fromEntries(
        [1, 2, 3].map((index) => [contenders[index]?.name ?? '', figuresOf(times[index] ?? [])]),
      ),
      ratios: {
        'openclaw-a2a': figuresOf(ours).p50Milliseconds / bundledP50,
        'openclaw-a2a/bare-plus-over-bare': ratio,
      },
      targets: [
        atMost("bare p50 plus over bare, ours over that of OpenClaw's own channel", TARGET_RATIO, ratio),
      ],
    },
    tables: [
      formatTable(['a text turn by', 'p50 ms', 'p99 ms', 'over bare, p50 ms', "p50 over OpenClaw's"], rows),
    ],
  };
}

function overBare(times: readonly number[], bare: readonly number[]): number[] {
  return times.map((time, index) => time - (bare[index] ?? Number.NaN));
}

function figuresOf(times: readonly number[]): { p50Milliseconds: number; p99Milliseconds: number } {
  const ascending = times.toSorted((one, other) => one - other);
  return { p50Milliseconds: percentile(ascending, 0.5), p99Milliseconds: percentile(ascending, 0.99) };
}

function rowOf(
  title: string,
  times: readonly number[],
  overhead: readonly number[],
  bundledP50: number,
): string[] {
  const { p50Milliseconds, p99Milliseconds } = figuresOf(times);
  return [
    title,
    formatNumber(p50Milliseconds),
    formatNumber(p99Milliseconds),
    overhead.length === 0 ? '' : formatNumber(median(overhead)),
    `${formatNumber(p50Milliseconds / bundledP50)} ×`,
  ];
}
