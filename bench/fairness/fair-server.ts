import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addKey } from '@holdword/runtime';
import { openSqliteStore } from '@holdword/store';
import type { DriverTarget } from '../../test/support/drivers/driver.ts';
import { targetOf } from '../peers/driver-target.ts';
import { holdwordCommand, type Peer } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';

/** A server whose callers have keys, with the limits that users get. */
export interface FairServer extends AsyncDisposable {
  readonly target: DriverTarget;
  /** The keys of the callers, in the order of their names. */
  readonly tokens: readonly string[];
  /** Resident memory of the process in MB; NaN if the system does not provide it. */
  memory(): Promise<number>;
}

/** Receivers on loopback may be called. */
const CONFIG = { push: { allowPrivate: ['127.0.0.0/8'] }, logLevel: 'error' };
/** Are used up sooner. */
const QUICK_CONFIG = { ...CONFIG, limits: { concurrentTurns: 40, queuedTurns: 60 } };

const KIBIBYTES_OF_A_MEGABYTE = 1_000_000 / 1024;

export async function startFairServer(
  parent: string,
  callers: readonly string[],
  { quick }: { quick: boolean },
): Promise<FairServer> {
  const folder = await mkdtemp(join(parent, 'fairness-'));
  const store = await openSqliteStore({ folder });
  const tokens: string[] = [];
  for (const name of callers) tokens.push((await addKey(store, { name })).token);
  await store.close();
  const config = join(folder, 'bench.config.json');
  await writeFile(config, JSON.stringify(quick ? QUICK_CONFIG : CONFIG));
  const peer: Peer = {
    name: 'holdword',
    title: 'holdword serve with API keys',
    arguments: () => {
      const ports = ['--port', '0', '--grpc-port', '0'];
      return [...holdwordCommand(), 'serve', ...ports, '--data', folder, '--config', config];
    },
  };
  const running = await startPeer(peer, parent);
  const { processId, url } = running;
  return {
    target: await targetOf(url),
    tokens,
    memory: async () => {
      const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / KIBIBYTES_OF_A_MEGABYTE;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
