import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverTarget } from '../../support/drivers/driver.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Proxy } from './proxies.ts';

/** A proxy in front of replicas, until it is stopped. */
export interface RunningProxy {
  readonly target: DriverTarget;
  stop(): Promise<void>;
}

export function isInstalled({ probe: [program = '', ...words] }: Proxy): boolean {
  return spawnSync(program, words).status === 0;
}

export async function startProxy(proxy: Proxy, replicas: readonly DriverTarget[]): Promise<RunningProxy> {
  const folder = await temporaryFolder();
  // A proxy started by root runs as another user, which keeps large bodies there.
  await chmod(folder.path, 0o755);
  const http = await freePort();
  const grpc = proxy.hasOnePort === true ? http : await freePort();
  const configFile = join(folder.path, 'proxy.conf');
  await writeFile(configFile, await proxy.configuration(folder.path, { http, grpc }, replicas));

  const [program = '', ...words] = proxy.command(folder.path, configFile);
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder.path },
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = once(child, 'exit');
  const baseUrl = `http://127.0.0.1:${http}`;
  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await ended;
    await folder.remove();
  }

  const isReady = waitUntil(`${proxy.name} to answer`, async () => {
    const answer = await fetch(`${baseUrl}/healthz`).catch(() => undefined);
    return answer?.status === 200;
  });
  try {
    await Promise.race([isReady, ended.then(() => Promise.reject(new Error(complaints)))]);
  } catch (error) {
    await stop();
    throw new Error(`${proxy.name} does not work: ${complaints}`, { cause: error });
  }
  return {
    target: {
      baseUrl,
      jsonRpcUrl: `${baseUrl}/a2a/jsonrpc`,
      restUrl: `${baseUrl}/a2a/rest`,
      grpcAddress: `127.0.0.1:${grpc}`,
    },
    stop,
  };
}
