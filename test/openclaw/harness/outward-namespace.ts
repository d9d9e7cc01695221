import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RELAY = fileURLToPath(new URL('outward-relay.ts', import.meta.url));
const UNSHARE = ['--map-root-user', '--net'];

/** Why programs cannot be started in a network namespace of their own on this machine. Undefined if they can. */
export function namespaceProblem(): string | undefined {
  const { error, status, stderr } = spawnSync('unshare', [...UNSHARE, 'ip', 'link', 'set', 'lo', 'up']);
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : String(stderr).trim();
}

/**
 * A network namespace with a loopback and nothing else, so that nobody reaches a program in it. The program reaches the given
 * ports of this machine's loopback, and no other address, through sockets in a folder.
 */
export interface OutwardNamespace {
  /** An executable that runs the program inside. */
  readonly command: string;
  /** Where the interfaces of the namespace are listed, once the program runs. */
  readonly interfacesFile: string;
  close(): Promise<void>;
}

export async function openOutwardNamespace(
  program: string,
  { folder, ports }: { folder: string; ports: readonly number[] },
): Promise<OutwardNamespace> {
  const sockets = new Set<Socket>();
  const servers = await Promise.all(ports.map((port) => passOn(join(folder, `${port}.sock`), port, sockets)));
  const command = join(folder, 'openclaw-inside');
  const interfacesFile = join(folder, 'interfaces');
  const relay = [process.execPath, RELAY, folder, ...ports.map(String)].map(quoted).join(' ');
  const inside = `ip link set lo up && cat /proc/net/dev > ${quoted(interfacesFile)} && { ${relay} & exec "$0" "$@"; }`;
  const script = `#!/bin/sh\nexec unshare ${UNSHARE.join(' ')} sh -c ${quoted(inside)} ${quoted(program)} "$@"\n`;
  await writeFile(command, script, { mode: 0o755 });
  return {
    command,
    interfacesFile,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function passOn(path: string, port: number, sockets: Set<Socket>): Promise<Server> {
  const server = createServer((inside) => {
    const outside = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    inside.pipe(outside).pipe(inside);
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
