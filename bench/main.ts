import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './options.ts';
import { growth } from './growth.ts';
import { formatResult, isMet, type BenchResult } from './report/report.ts';
import { send } from './send.ts';
import { stream } from './stream.ts';

const HELP = `Usage: npm run bench -- send|stream|growth [options]

  send      blocking sends of an echo task: requests/s and latency of four servers
  stream    streams of 100 and 1,000 chunks: events/s of the same servers
  growth    what parley's work costs as tasks, journals and subscribers grow

  --rounds N     interleaved rounds whose median counts
  --seconds N    how long each server is under load in one round, at least
  --data DIR     where the servers keep their data while they run; must be on a real disk
  --quick        small numbers, to see that the bench works
  --json         print one JSON object instead of tables

The exit code is 1 when a target is missed.`;

interface Bench {
  run: (options: BenchOptions) => Promise<BenchResult>;
  rounds: number;
  seconds: number;
}

const BENCHES = new Map<string, Bench>([
  ['send', { run: send, rounds: 5, seconds: 4 }],
  ['stream', { run: stream, rounds: 3, seconds: 4 }],
  ['growth', { run: growth, rounds: 1, seconds: 1 }],
]);
const CONNECTIONS = 32;
const QUICK = { rounds: 1, seconds: 1, connections: 8 };

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      data: { type: 'string', default: tmpdir() },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  const bench = BENCHES.get(positionals[0] ?? '');
  if (values.help || bench === undefined) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  const defaults = values.quick ? QUICK : { ...bench, connections: CONNECTIONS };
  const dataFolder = await mkdtemp(join(resolve(values.data), 'parley-bench-'));
  try {
    const result = await bench.run({
      rounds: positiveNumber('rounds', values.rounds, defaults.rounds),
      seconds: positiveNumber('seconds', values.seconds, defaults.seconds),
      connections: defaults.connections,
      quick: values.quick,
      dataFolder,
      progress: (line) => console.error(line),
    });
    console.log(values.json ? JSON.stringify(result.report) : formatResult(result));
    return isMet(result.report) ? 0 : 1;
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function positiveNumber(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`Expected --${name} to be a number above 0, found "${text}".`);
}
