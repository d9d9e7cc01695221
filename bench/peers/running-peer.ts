import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const READY_WITHIN_MILLISECONDS = 20_000;
const KEPT_OUTPUT = 4_000;

export interface RunningPeer {
  readonly peer: Peer;
  readonly url: URL;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts a peer as a process of its own with a new folder below `dataFolder`. */
export async function startPeer(peer: Peer, dataFolder: string): Promise<RunningPeer> {
  const folder = await mkdtemp(join(dataFolder, `${peer.name}-`));
  const child = spawn(process.execPath, peer.arguments(folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const url = await readyUrl(peer, child);
    return { peer, url, processId: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readyUrl(peer: Peer, child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let output = '';
    const refuse = (reason: string): void => {
      reject(
        new Error(`The peer ${peer.name} ${reason} before it printed a JSON-RPC URL. Its output:\n${output}`),
      );
    };
    const timer = setTimeout(() => refuse('took too long'), READY_WITHIN_MILLISECONDS);
    const read = (data: Buffer): void => {
      output = (output + data.toString()).slice(-KEPT_OUTPUT);
      const url = /http:\/\/\S+\/a2a\/jsonrpc(?=\s)/.exec(output)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(new URL(url));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => {
      clearTimeout(timer);
      refuse('ended');
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
