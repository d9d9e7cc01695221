import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenClawHome } from './openclaw-home.ts';

const START_MILLISECONDS = 120_000;
const END_MILLISECONDS = 30_000;
/** Polling more often would slow down the start. */
const POLL_MILLISECONDS = 200;

/** A running OpenClaw gateway. */
export interface Gateway {
  /** What it has printed so far. */
  printed(): string;
  /** Stops it gracefully and waits for its end. */
  stop(): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
}

/**
 * Starts the gateway of a home and waits until it is ready, which one without an inbound path is asked in another way. That takes
 * more than ten seconds, so share it.
 */
export async function startGateway(
  home: OpenClawHome,
  ready = () => answers(home, '/readyz'),
  mostMilliseconds = START_MILLISECONDS,
): Promise<Gateway> {
  const child = spawn(home.command, ['gateway', 'run'], {
    env: home.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: the actual gateway is a child of this process.
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  const exited = once(child, 'exit');
  try {
    await waitFor('ready', () => isReady(child, ready), mostMilliseconds);
  } catch (error) {
    endGroup(child, 'SIGKILL');
    throw new Error(`The OpenClaw gateway did not start:\n${printed}`, { cause: error });
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    endGroup(child, signal);
    await exited;
    await waitFor('gone', async () => !(await answers(home, '/healthz')), END_MILLISECONDS);
  };
  return { printed: () => printed, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

async function waitFor(what: string, isSo: () => Promise<boolean>, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It was not ${what} after ${milliseconds} ms.`);
    await pause(POLL_MILLISECONDS);
  }
}

async function isReady(child: ChildProcess, ready: () => Promise<boolean>): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.`);
  return ready();
}

async function answers(home: OpenClawHome, path: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${home.gatewayUrl.replace(/^ws/, 'http')}${path}`);
    return ok;
  } catch {
    return false;
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
