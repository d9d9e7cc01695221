import { fileURLToPath } from 'node:url';
import { holdwordCommand, type Peer } from '../peers/peer.ts';

/** All callers are on this machine: the per-caller rate limit must not affect the measurement. */
const CONFIG = fileURLToPath(new URL('./unlimited.config.json', import.meta.url));

export const ECHO: Peer = {
  name: 'json-rpc-echo',
  title: 'bare JSON-RPC echo on node:http',
  arguments: () => [fileURLToPath(new URL('./echo-server.ts', import.meta.url))],
};

/** The hub as users run it. `folder` is an existing data folder; by default a new one. */
export function hubPeer(folder?: string): Peer {
  return {
    name: 'hub',
    title: 'holdword hub, SQLite full sync',
    path: '/v1/a2a',
    arguments: (newFolder) => [
      ...holdwordCommand(),
      'hub',
      '--port',
      '0',
      '--grpc-port',
      'off',
      '--config',
      CONFIG,
      '--data',
      folder ?? newFolder,
    ],
  };
}
