import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A server to compare: a program that prints its JSON-RPC URL when it is ready. */
export interface Peer {
  readonly name: string;
  /** Its name in the table. */
  readonly title: string;
  /**
   * The path of its JSON-RPC endpoint.
   *
   * @default '/a2a/jsonrpc'
   */
  readonly path?: string;
  /** Arguments for Node; `folder` is empty and only used by this peer. */
  arguments(folder: string): string[];
}

export const BARE_HTTP: Peer = {
  name: 'bare-http',
  title: 'plain node:http, constant response',
  arguments: () => [program('./bare-http-server.ts')],
};

export const SDK_MEMORY: Peer = {
  name: 'sdk-memory',
  title: '@a2a-js/sdk on Express, in memory',
  arguments: () => [program('./sdk-memory-server.ts')],
};

export const SDK_SQLITE: Peer = {
  name: 'sdk-sqlite',
  title: '@a2a-js/sdk on Express, SQLite full sync',
  arguments: (folder) => [program('./sdk-sqlite-server.ts'), folder],
};

export const HOLDWORD: Peer = {
  name: 'holdword',
  title: 'holdword serve, SQLite full sync',
  arguments: (folder) => [
    ...holdwordCommand(),
    'serve',
    '--port',
    '0',
    '--grpc-port',
    'off',
    '--data',
    folder,
  ],
};

export const PEERS: readonly Peer[] = [BARE_HTTP, SDK_MEMORY, SDK_SQLITE, HOLDWORD];

/** What Node runs when a user types `holdword`, with the flags that the first line of the command gives to Node. */
export function holdwordCommand(): string[] {
  const main = program('../../packages/cli/src/main.ts');
  const [firstLine = ''] = readFileSync(main, 'utf8').split('\n', 1);
  return [...firstLine.split(' ').filter((word) => word.startsWith('--')), main];
}

export function program(relativePath: string): string {
  return fileURLToPath(new URL(relativePath, import.meta.url));
}
