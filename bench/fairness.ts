import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Driver } from '../test/support/drivers/driver.ts';
import { openDriver } from '../test/support/drivers/open-driver.ts';
import { ATTACKS } from './fairness/attacks.ts';
import { type FairServer, startFairServer } from './fairness/fair-server.ts';
import { beNotified, behaveWell, type Experience } from './fairness/good-caller.ts';
import type { BenchOptions } from './options.ts';
import { program } from './peers/peer.ts';
import type { BenchResult } from './report/report.ts';
import { median } from './report/statistics.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { atMost, type Target } from './report/target.ts';

const ATTACKERS = ATTACKS.flatMap(({ callers }) => Array.from({ length: callers }, () => 0)).length;
const IN_PLACE_WITHIN_MILLISECONDS = 120_000;
const MEMORY_MILLISECONDS = 250;

/** What the well-behaved caller does, by name. */
const USES = {
  HTTP: (drivers: Drivers, seconds: number) => behaveWell(drivers.http, seconds),
  gRPC: (drivers: Drivers, seconds: number) => behaveWell(drivers.grpc, seconds),
  notifications: (drivers: Drivers, seconds: number) => beNotified(drivers.http, seconds),
} as const;
const USE_NAMES = ['HTTP', 'gRPC', 'notifications'] as const;
type Use = (typeof USE_NAMES)[number];

interface Drivers {
  readonly http: Driver;
  readonly grpc: Driver;
}

interface Round {
  readonly idle: Readonly<Record<Use, Experience>>;
  readonly attacked: Readonly<Record<Use, Experience>>;
  readonly megabytes: number;
  readonly attackersCalls: string;
}

/** What a well-behaved caller notices of others that do their worst, compared with the same server while it is idle. */
export async function fairness(options: BenchOptions): Promise<BenchResult> {
  const { rounds, progress } = options;
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    all.push(await measureRound(options));
  }
  return report(all);
}

async function measureRound({ dataFolder, seconds, quick, progress }: BenchOptions): Promise<Round> {
  const names = Array.from({ length: 1 + ATTACKERS }, (_, index) => `caller-${index}`);
  await using server = await startFairServer(dataFolder, names, { quick });
  const [token = '', ...attackers] = server.tokens;
  const target = { ...server.target, headers: { authorization: `Bearer ${token}` } };
  const drivers: Drivers = {
    http: await openDriver(target, { binding: 'JSONRPC', version: '1.0', client: 'raw' }),
    grpc: await openDriver(target, { binding: 'GRPC', version: '1.0', client: 'raw' }),
  };
  try {
    // The first calls of a process are slow; they count for neither.
    await measure(drivers, Math.min(2, seconds));
    progress('  an idle server');
    const idle = await measure(drivers, seconds);
    progress(`  ${ATTACKERS} attackers`);
    await using attack = await startAttack(server, attackers);
    await using memory = watchMemory(server);
    const attacked = await measure(drivers, seconds);
    return { idle, attacked, megabytes: memory.peak(), attackersCalls: await attack.stop() };
  } finally {
    drivers.http.close();
    drivers.grpc.close();
  }
}

/** All uses at once, as one caller has them. */
async function measure(drivers: Drivers, seconds: number): Promise<Record<Use, Experience>> {
  const [http, grpc, notified] = await Promise.all(USE_NAMES.map((use) => USES[use](drivers, seconds)));
  if (http === undefined || grpc === undefined || notified === undefined) throw new Error('Not measured.');
  return { HTTP: http, gRPC: grpc, notifications: notified };
}

async function startAttack({ target }: FairServer, tokens: readonly string[]) {
  const child = spawn(
    process.execPath,
    [program('../fairness/attack-program.ts'), JSON.stringify({ target, tokens })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const late = setTimeout(kill, IN_PLACE_WITHIN_MILLISECONDS);
  if ((await lines.next()).value !== 'in place') throw new Error('The attackers ended early.');
  clearTimeout(late);
  return {
    stop: async (): Promise<string> => {
      child.stdin.end();
      return String((await lines.next()).value);
    },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

function watchMemory(server: FairServer) {
  const samples: number[] = [];
  const sample = async (): Promise<void> => void samples.push(await server.memory());
  const timer = setInterval(() => void sample(), MEMORY_MILLISECONDS);
  return {
    peak: () => Math.max(...samples),
    [Symbol.asyncDispose]: async () => clearInterval(timer),
  };
}

function report(rounds: readonly Round[]): BenchResult {
  const peers: Record<string, Record<string, number>> = {};
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const use of USE_NAMES) {
    const [idle, attacked] = (['idle', 'attacked'] as const).map((when) => {
      const seen = rounds.map((round) => round[when][use]);
      const figures = {
        calls: seen.reduce((sum, { calls }) => sum + calls, 0),
        p50: median(seen.map(({ p50 }) => p50)),
        p99: median(seen.map(({ p99 }) => p99)),
        refused: seen.reduce((sum, { refused }) => sum + refused, 0),
      };
      peers[`${use}/${when}`] = figures;
      const numbers = [figures.calls, figures.p50, figures.p99, figures.refused].map(formatNumber);
      rows.push([`${use}, ${when}`, ...numbers]);
      return figures;
    });
    const ratio = median(rounds.map((round) => round.attacked[use].p99 / round.idle[use].p99));
    targets.push(
      atMost(`${use}: p99 compared with an idle server`, 3, ratio),
      atMost(`${use}: calls that were refused`, 0, (idle?.refused ?? 0) + (attacked?.refused ?? 0)),
    );
  }
  const megabytes = Math.max(...rounds.map((round) => round.megabytes));
  peers['server'] = { megabytes };
  targets.push(atMost('MB of memory of the server', 600, megabytes));
  const problems = rounds.flatMap(({ attacked }) => USE_NAMES.map((use) => attacked[use].problem));
  const notes = [
    `The attackers' calls: ${rounds.map(({ attackersCalls }) => attackersCalls).join(', ')}`,
    ...new Set(problems.filter((problem) => problem !== undefined)),
  ];
  return {
    report: { bench: 'fairness', peers, ratios: {}, targets },
    tables: [formatTable(['caller', 'calls', 'p50 ms', 'p99 ms', 'refused'], rows), notes.join('\n')],
  };
}
