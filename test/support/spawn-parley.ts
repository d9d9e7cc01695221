import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DriverTarget } from './drivers/driver.ts';

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const START_TIMEOUT_MILLISECONDS = 20_000;

/** `parley serve` in a process of its own, as a user starts it. */
export interface ParleyProcess {
  readonly target: DriverTarget;
  /** Asks it to end and gives its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Starts it and waits until it says where it is reached. Without `--port` it takes free ports. */
export async function spawnParley(commandLine: readonly string[] = []): Promise<ParleyProcess> {
  const ports = commandLine.includes('--port') ? [] : ['--port', '0', '--grpc-port', '0'];
  const child = spawn(process.execPath, [MAIN, 'serve', ...ports, ...commandLine], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const target = await readTarget(child);
  return {
    target,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function readTarget(child: ChildProcess): Promise<DriverTarget> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`parley serve was not ready after ${START_TIMEOUT_MILLISECONDS} ms:\n${printed}`));
    }, START_TIMEOUT_MILLISECONDS);
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const target = targetIn(printed);
      if (target !== undefined) {
        clearTimeout(timer);
        resolve(target);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`parley serve ended with code ${code} before it was ready:\n${printed}`));
    });
  });
}

/** The addresses in the announcement, once it is complete. */
function targetIn(output: string): DriverTarget | undefined {
  const addressOf = (label: string): string | undefined =>
    new RegExp(`^\\s*${label}\\s+(\\S+)`, 'm').exec(output)?.[1];
  const jsonRpcUrl = addressOf('JSON-RPC');
  const restUrl = addressOf('REST');
  const grpcAddress = addressOf('gRPC');
  if (!output.includes('Ctrl-C') || jsonRpcUrl === undefined || restUrl === undefined) {
    return undefined;
  }
  return { baseUrl: new URL(jsonRpcUrl).origin, jsonRpcUrl, restUrl, grpcAddress: grpcAddress ?? '' };
}
