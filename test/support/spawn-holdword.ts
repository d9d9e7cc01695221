import { HoldwordProcess, type HoldwordProcessOptions } from '@holdword/cli/testing';
import type { DriverTarget } from './drivers/driver.ts';

/** `holdword serve` in a separate process, as a user starts it. */
export interface ServedHoldword {
  readonly target: DriverTarget;
  readonly process: HoldwordProcess;
  /** Stops it gracefully and returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills it. */
  kill(): Promise<void>;
}

/** Starts the command and waits until it prints its addresses. Uses free ports unless `--port` is given. */
export async function spawnHoldword(
  commandLine: readonly string[] = [],
  options: HoldwordProcessOptions = {},
): Promise<ServedHoldword> {
  const ports = commandLine.includes('--port') ? [] : ['--port', '0', '--grpc-port', '0'];
  const process = new HoldwordProcess(['serve', ...ports, ...commandLine], options);
  try {
    await process.printed(/Ctrl-C/);
  } catch (error) {
    await process.kill();
    throw error;
  }
  return {
    target: targetIn(process.output()),
    process,
    stop: () => process.stop(),
    kill: () => process.kill(),
  };
}

/** The addresses in the announcement. */
function targetIn(output: string): DriverTarget {
  const addressOf = (label: string): string =>
    new RegExp(`^\\s*${label}\\s+(\\S+)`, 'm').exec(output)?.[1] ?? '';
  const jsonRpcUrl = addressOf('JSON-RPC');
  return {
    baseUrl: new URL(jsonRpcUrl).origin,
    jsonRpcUrl,
    restUrl: addressOf('REST'),
    grpcAddress: addressOf('gRPC'),
  };
}
