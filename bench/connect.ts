import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AT_ONCE, COLLECTING, settledKibibytes } from './growth/subscriber-cost.ts';
import { echoExchange } from './load/exchanges.ts';
import type { BenchOptions } from './options.ts';
import { HOLDWORD, holdwordCommand, program, type Peer } from './peers/peer.ts';
import { startPeer, type RunningPeer } from './peers/running-peer.ts';
import { ratiosOver } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { atLeast, atMost } from './report/target.ts';
import { measureRates, singly, warmUp, type Contender, type Load } from './rounds.ts';

const run = promisify(execFile);
const LOAD: Load = { unit: 'requests', exchange: echoExchange };
const AGENT = program('./agent-with-effects.ts');
const SLOTS = 64;
const MOST_KIBIBYTES = 40;
const FULL_WORKERS = 2_000;
const QUICK_WORKERS = 100;

const DIRECT: Peer = {
  ...HOLDWORD,
  name: 'direct',
  title: 'the agent in the server',
  arguments: (folder) => [...HOLDWORD.arguments(folder), '--agent', AGENT],
};
const CONNECTED: Peer = {
  ...HOLDWORD,
  name: 'connected',
  title: 'the agent in a worker of the server',
  arguments: (folder) => [...HOLDWORD.arguments(folder), '--host-agents'],
};

/** A turn through a host and a worker, next to the same turn in the server itself, and what idle workers cost their host. */
export async function connect(options: BenchOptions): Promise<BenchResult> {
  const { dataFolder, quick, progress } = options;
  await using direct = await startPeer(DIRECT, dataFolder);
  await using host = await startHost(CONNECTED, dataFolder);
  await using worker = await startWorker(host, dataFolder);
  const hosted: Contender = {
    name: CONNECTED.name,
    urls: [new URL('/agents/bench/a2a/jsonrpc', host.server.url)],
    processIds: [host.server.processId, worker.processId],
  };
  const contenders = [...singly([direct]), hosted];
  await warmUp(contenders, options, LOAD);
  const single = await measureRates(contenders, { ...options, connections: 1 }, LOAD);
  const many = await measureRates(contenders, options, LOAD);
  const ratios = ratiosOver(many, CONNECTED.name);
  const added = p50(single, CONNECTED.name) - p50(single, DIRECT.name);
  const workers = quick ? QUICK_WORKERS : FULL_WORKERS;
  progress(`connecting ${workers} idle workers`);
  const kibibytes = await idleWorkerCost(dataFolder, workers);
  const peers = [DIRECT, CONNECTED];
  return {
    report: {
      bench: 'connect',
      peers: {
        ...many,
        'idle-workers': { kibibytesPerWorker: kibibytes },
        alone: { addedMilliseconds: added },
      },
      ratios,
      targets: [
        atMost('ms that host and worker add to a turn, p50', 3, added),
        atLeast('turns/s over the same agent in the server', 0.5, ratios[DIRECT.name]),
        atMost(`KiB of each of ${workers} idle workers`, MOST_KIBIBYTES, kibibytes),
      ],
    },
    tables: [
      formatRates('blocking send, one caller', LOAD.unit, peers, single, ratiosOver(single, CONNECTED.name)),
      formatRates(`blocking send, ${options.connections} callers`, LOAD.unit, peers, many, ratios),
      formatTable(['figure', 'measured'], [['KiB per idle worker', formatNumber(kibibytes)]]),
    ],
  };
}

function p50(rates: Readonly<Record<string, { p50Milliseconds: number }>>, name: string): number {
  return rates[name]?.p50Milliseconds ?? Number.NaN;
}

interface RunningHost extends AsyncDisposable {
  readonly server: RunningPeer;
  readonly token: string;
}

/** A host with the agent `bench`. */
async function startHost(peer: Peer, dataFolder: string): Promise<RunningHost> {
  let folder = '';
  const server = await startPeer({ ...peer, arguments: (own) => peer.arguments((folder = own)) }, dataFolder);
  const words = [...holdwordCommand(), 'agents', 'add', 'bench', '--data', folder];
  const { stdout } = await run(process.execPath, words);
  return { server, token: stdout.trim(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function startWorker(
  { server, token }: RunningHost,
  dataFolder: string,
): Promise<AsyncDisposable & { readonly processId: number }> {
  const folder = await mkdtemp(join(dataFolder, 'worker-'));
  const words = ['connect', server.url.origin, '--agent', AGENT, '--slots', String(SLOTS), '--data', folder];
  const child = spawn(process.execPath, [...holdwordCommand(), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOLDWORD_WORKER_TOKEN: token },
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    processId: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Workers that listen and have nothing to do. */
async function idleWorkerCost(dataFolder: string, count: number): Promise<number> {
  const collecting: Peer = {
    ...COLLECTING,
    arguments: (folder) => [...COLLECTING.arguments(folder), '--host-agents'],
  };
  await using host = await startHost(collecting, dataFolder);
  const leaving = new AbortController();
  await listen(host, AT_ONCE, 'warm', leaving.signal);
  const before = await settledKibibytes(host.server.processId);
  await listen(host, count, 'idle', leaving.signal);
  const after = await settledKibibytes(host.server.processId);
  leaving.abort();
  await setTimeout(100);
  return (after - before) / count;
}

/** Opens the streams of workers, in groups. */
async function listen(host: RunningHost, count: number, name: string, signal: AbortSignal): Promise<void> {
  const post = (route: string, body: object, accept: string): Promise<Response> =>
    fetch(new URL(`/connect/v1/${route}`, host.server.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${host.token}`, Accept: accept },
      body: JSON.stringify(body),
      signal,
    });
  const open = async (number: number): Promise<void> => {
    const state = { worker: `${name}-worker-${number}`, slots: 1, holds: [] };
    await (await post('hello', { ...state, resumes: false }, 'application/json')).text();
    const { body } = await post('turns', state, 'text/event-stream');
    await body?.getReader().read();
  };
  for (let first = 0; first < count; first += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - first);
    await Promise.all(Array.from({ length: size }, (_, index) => open(first + index)));
  }
}
