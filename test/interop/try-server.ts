import { freePort } from '../support/free-port.ts';
import type { Binding, CaseLine, Version } from './contract.ts';
import { runOwnClient } from './own-client.ts';
import type { Command } from './peers.ts';
import { startProgram } from './programs.ts';

const LIMIT_MILLISECONDS = 300_000;

/** Starts a foreign server whose card lists one interface, and tries our client on it. */
export async function tryServer(
  server: Command,
  version: Version,
  binding: Binding,
): Promise<readonly CaseLine[]> {
  const ports = [String(await freePort()), String(await freePort())];
  const program = startProgram(server, [...ports, binding, version], LIMIT_MILLISECONDS);
  try {
    const url = await firstAddress(program.lines);
    if (url === undefined) {
      return [{ case: 'card', ok: false, detail: `the server did not start: ${program.errors()}` }];
    }
    return await runOwnClient(url, version, binding);
  } finally {
    await program.stop();
  }
}

async function firstAddress(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) {
    if (line.startsWith('http://')) return line.trim();
  }
  return undefined;
}
