import { HoldwordProcess, type HoldwordProcessOptions } from '@holdword/cli/testing';
import type { DriverTarget } from './drivers/driver.ts';

/** `holdword serve` in a process of its own, as a user starts it. */
export interface ServedHoldword {
  readonly target: DriverTarget;
  readonly process: HoldwordProcess;
  /** Asks it to end and gives its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Starts it and waits until it says where it is reached. Without `--port` it takes free ports. */
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
