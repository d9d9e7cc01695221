import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const READY_WITHIN_MILLISECONDS = 20_000;
const KEPT_OUTPUT = 4_000;

/** A peer that runs until it is disposed. */
export interface RunningPeer extends AsyncDisposable {
  readonly peer: Peer;
  readonly url: URL;
  readonly processId: number;
}

/** Starts a peer in a separate process with a new folder below `dataFolder`. */
export async function startPeer(peer: Peer, dataFolder: string): Promise<RunningPeer> {
  const folder = await mkdtemp(join(dataFolder, `${peer.name}-`));
  const child = spawn(process.execPath, peer.arguments(folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const kill = (): boolean => child.kill('SIGKILL');
  // An interrupted bench must not leave a server running.
  process.once('exit', kill);
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    process.off('exit', kill);
    kill();
    await exited;
  });
  const url = await readyUrl(peer, child);
  const owned = stack.move();
  return { peer, url, processId: child.pid ?? 0, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Peers that run until they are disposed together. */
export interface RunningPeers extends AsyncDisposable {
  readonly running: readonly RunningPeer[];
}

export async function startPeers(peers: readonly Peer[], dataFolder: string): Promise<RunningPeers> {
  await using stack = new AsyncDisposableStack();
  const running: RunningPeer[] = [];
  for (const peer of peers) running.push(stack.use(await startPeer(peer, dataFolder)));
  const owned = stack.move();
  return { running, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function readyUrl(peer: Peer, child: ChildProcess): Promise<URL> {
  const endpoint = new RegExp(`http://\\S+${peer.path ?? '/a2a/jsonrpc'}(?=\\s)`);
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(
        new Error(
          `The peer ${peer.name} ${reason} before it printed its JSON-RPC URL. Its output:\n${output}`,
        ),
      );
    };
    const timer = setTimeout(() => fail('took too long'), READY_WITHIN_MILLISECONDS);
    const read = (data: Buffer): void => {
      output = (output + data.toString()).slice(-KEPT_OUTPUT);
      const url = endpoint.exec(output)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(new URL(url));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => fail('ended'));
    child.once('error', (error) => fail(`could not start (${error.message})`));
  });
}
