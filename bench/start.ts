import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackages } from '../scripts/build/build-packages.ts';
import { takeMeasures } from './measures.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report/report.ts';
import { median } from './report/statistics.ts';
import { atMost } from './report/target.ts';

const ROOT = join(import.meta.dirname, '..');
const FULL = 30;
const QUICK = 3;
const MOST_VERSION_MILLISECONDS = 80;
const MOST_CALL_MILLISECONDS = 200;

/** How much longer a command takes than a Node that does nothing, as the published package runs. */
export async function start({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  progress('building the packages');
  const main = await installBuilt(join(dataFolder, 'start'));
  const server = spawn(
    process.execPath,
    [main, 'serve', '--port', '0', '--grpc-port', 'off', '--store', 'memory'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const agent = await addressOf(server.stdout);
    const times = measure(quick ? QUICK : FULL, {
      bare: ['-e', '0'],
      version: [main, '--version'],
      card: [main, 'card', 'get', '-a', agent],
      send: [main, 'send', '-a', agent, 'echo hello'],
    });
    return await takeMeasures(
      'start',
      [
        ['holdword --version', async () => compare('--version', times, 'version', MOST_VERSION_MILLISECONDS)],
        ['holdword card get', async () => compare('card get', times, 'card', MOST_CALL_MILLISECONDS)],
        ['holdword send', async () => compare('send', times, 'send', MOST_CALL_MILLISECONDS)],
      ],
      progress,
    );
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

const MEASURED = ['bare', 'version', 'card', 'send'] as const;

type Times = Readonly<Record<(typeof MEASURED)[number], readonly number[]>>;

function compare(name: string, times: Times, command: keyof Times, most: number) {
  const differences = times[command].map((time, round) => time - (times.bare[round] ?? 0));
  const ratios = times[command].map((time, round) => time / (times.bare[round] ?? time));
  return {
    figures: {
      'node -e 0, ms': median(times.bare),
      [`${name}, ms`]: median(times[command]),
      [`${name}, times node -e 0`]: median(ratios),
    },
    target: atMost(`ms of ${name} over node -e 0`, most, median(differences)),
  };
}

/** Alternately, so that all of them meet the same machine. The first round fills the caches of the system, and does not count. */
function measure(rounds: number, commands: Readonly<Record<keyof Times, readonly string[]>>): Times {
  const times = { bare: [] as number[], version: [] as number[], card: [] as number[], send: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of MEASURED) {
      const before = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [...commands[name]], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${commands[name].join(' ')} failed:\n${stderr}`);
      if (round > 0) times[name].push(performance.now() - before);
    }
  }
  return times;
}

/** The packages as they are published, next to the libraries of the workspace. Resolves with the program. */
async function installBuilt(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@holdword'), { recursive: true });
  for (const { name, folder: built } of await buildPackages(join(folder, 'build'))) {
    await cp(built, join(modules, name), { recursive: true });
  }
  const shared = join(ROOT, 'node_modules');
  for (const name of await readdir(shared)) {
    if (name !== '@holdword' && !name.startsWith('.')) await symlink(join(shared, name), join(modules, name));
  }
  return join(modules, '@holdword', 'cli', 'dist', 'main.js');
}

async function addressOf(output: AsyncIterable<Buffer>): Promise<string> {
  let printed = '';
  for await (const chunk of output) {
    printed += chunk.toString();
    const [, address] = /card +(http:\S+)\/\.well-known/.exec(printed) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`The server did not start:\n${printed}`);
}
