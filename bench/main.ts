import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { adapter } from './adapter.ts';
import { artifacts } from './artifacts.ts';
import { readCommandLine, USAGE, type CommandLine } from './command-line.ts';
import { connect } from './connect.ts';
import { consoleBench } from './console.ts';
import { fairness } from './fairness.ts';
import { growth } from './growth.ts';
import { hub } from './hub.ts';
import { inbound } from './inbound.ts';
import { longpoll } from './longpoll.ts';
import type { BenchOptions } from './options.ts';
import { outbound } from './outbound.ts';
import { replicas } from './replicas.ts';
import { formatResult, isMet, type BenchResult } from './report/report.ts';
import { send } from './send.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { stream } from './stream.ts';

interface Bench {
  readonly run: (options: BenchOptions) => Promise<BenchResult>;
  readonly rounds: number;
  readonly seconds: number;
}

const BENCHES = new Map<string, Bench>([
  // Many short rounds: the speed of the machine changes within seconds, and peers are compared within a round.
  ['send', { run: send, rounds: 30, seconds: 0.6 }],
  ['stream', { run: stream, rounds: 3, seconds: 4 }],
  ['replicas', { run: replicas, rounds: 5, seconds: 4 }],
  ['fairness', { run: fairness, rounds: 3, seconds: 10 }],
  ['soak', { run: soak, rounds: 1, seconds: 3_600 }],
  ['growth', { run: growth, rounds: 1, seconds: 1 }],
  ['longpoll', { run: longpoll, rounds: 1, seconds: 1 }],
  ['adapter', { run: adapter, rounds: 1, seconds: 1 }],
  ['artifacts', { run: artifacts, rounds: 1, seconds: 1 }],
  ['hub', { run: hub, rounds: 3, seconds: 2 }],
  ['inbound', { run: inbound, rounds: 1, seconds: 1 }],
  ['outbound', { run: outbound, rounds: 1, seconds: 1 }],
  ['connect', { run: connect, rounds: 10, seconds: 1 }],
  ['console', { run: consoleBench, rounds: 1, seconds: 1 }],
  ['start', { run: start, rounds: 1, seconds: 1 }],
]);
const CONNECTIONS = 32;
const QUICK = { rounds: 1, seconds: 1, connections: 8 };
const TMPFS = 0x01021994;

// Not `process.exitCode`: a library of the embedded PostgreSQL server exits an idle process with code 0.
process.exit(await main());

async function main(): Promise<number> {
  let commandLine: CommandLine | 'help';
  try {
    commandLine = readCommandLine(process.argv.slice(2), [...BENCHES.keys()]);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (commandLine === 'help') {
    console.log(USAGE);
    return 0;
  }
  const result = await run(commandLine);
  console.log(commandLine.json ? JSON.stringify(result.report) : formatResult(result));
  return isMet(result.report) ? 0 : 1;
}

function run(commandLine: CommandLine): Promise<BenchResult> {
  const bench = BENCHES.get(commandLine.bench);
  if (bench === undefined) throw new Error(`Unknown bench ${commandLine.bench}.`);
  const defaults = commandLine.quick ? QUICK : { ...bench, connections: CONNECTIONS };
  return bench.run({
    rounds: commandLine.rounds ?? defaults.rounds,
    seconds: commandLine.seconds ?? defaults.seconds,
    connections: defaults.connections,
    quick: commandLine.quick,
    plotFile: commandLine.plotFile,
    dataFolder: makeDataFolder(commandLine.dataFolder),
    progress,
  });
}

/** Creates a folder that is deleted when this process ends, even if it is interrupted. */
function makeDataFolder(parent: string): string {
  const folder = mkdtempSync(join(resolve(parent), 'holdword-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  if (statfsSync(folder).type === TMPFS) {
    progress('The data folder is in memory, where a full sync costs nothing; use one on a disk with --data.');
  }
  return folder;
}

/** Prints to stderr; stdout is reserved for the result. */
function progress(line: string): void {
  console.error(line);
}
