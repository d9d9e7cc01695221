import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binding, Version } from './contract.ts';

/** A program of a peer and how to start it, relative to the folder it was installed in. */
export interface Command {
  readonly file: string;
  readonly words?: readonly string[];
  readonly cwd: string;
}

/** What a program speaks: the bindings of each version. */
export type Speaks = Partial<Record<Version, readonly Binding[]>>;

export type Language = 'python' | 'javascript' | 'go' | 'java' | 'rust';

/** An SDK of somebody else, at one version. */
export interface Peer {
  readonly id: string;
  readonly language: Language;
  /** Its folder below `peers`, and below the folder of installations. */
  readonly folder: string;
  /** Its name in the page. */
  readonly title: string;
  /** Where its version is pinned: a file of its folder, and a pattern whose first group is the version. */
  readonly pinned: { readonly file: string; readonly pattern: RegExp };
  readonly client?: Speaks;
  readonly server?: Speaks;
  /** Its client refuses agents that offer gRPC as well. */
  readonly refusesGrpc?: boolean;
  /** The name of its client program, if it is another. */
  readonly clientProgram?: string;
}

const ALL: readonly Binding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const SOURCES = join(import.meta.dirname, 'peers');

export const PEERS: readonly Peer[] = [
  {
    id: 'python-1',
    language: 'python',
    folder: 'python/sdk-1',
    title: 'Python: a2a-sdk',
    pinned: { file: 'requirements.txt', pattern: /^a2a-sdk==(\S+)/m },
    client: { '1.0': ALL, '0.3': ALL },
    server: { '1.0': ALL, '0.3': ALL },
  },
  {
    id: 'python-03',
    language: 'python',
    folder: 'python/sdk-03',
    title: 'Python: a2a-sdk',
    pinned: { file: 'requirements.txt', pattern: /^a2a-sdk==(\S+)/m },
    client: { '0.3': ALL },
    server: { '0.3': ALL },
  },
  {
    id: 'adk',
    language: 'python',
    folder: 'python/adk',
    title: "Python: google-adk's RemoteA2aAgent",
    pinned: { file: 'requirements.txt', pattern: /^google-adk==(\S+)/m },
    client: { '1.0': ['JSONRPC', 'HTTP+JSON'] },
    refusesGrpc: true,
  },
  {
    id: 'javascript-1',
    language: 'javascript',
    folder: 'javascript/sdk-1',
    title: 'JavaScript: @a2a-js/sdk',
    pinned: { file: 'package.json', pattern: /"@a2a-js\/sdk": "([^"]+)"/ },
    client: { '1.0': ALL, '0.3': ALL },
    server: { '1.0': ALL, '0.3': ALL },
  },
  {
    id: 'javascript-03',
    language: 'javascript',
    folder: 'javascript/sdk-03',
    title: 'JavaScript: @a2a-js/sdk',
    pinned: { file: 'package.json', pattern: /"@a2a-js\/sdk": "([^"]+)"/ },
    client: { '0.3': ALL },
    server: { '0.3': ALL },
  },
  {
    id: 'go',
    language: 'go',
    folder: 'go/sdk',
    title: 'Go: a2a-go',
    pinned: { file: 'go.mod', pattern: /a2a-go\/v2 v(\S+)/ },
    client: { '1.0': ALL, '0.3': ALL },
    server: { '1.0': ALL, '0.3': ALL },
  },
  {
    id: 'java-03',
    language: 'java',
    folder: 'java/sdk-03',
    title: 'Java: a2a-java-sdk',
    pinned: { file: 'pom.xml', pattern: /<a2a\.version>([^<]+)</ },
    client: { '0.3': ALL },
  },
  {
    id: 'java-03-server',
    language: 'java',
    folder: 'java/server-03',
    title: 'Java: a2a-java-sdk',
    pinned: { file: 'pom.xml', pattern: /<a2a\.version>([^<]+)</ },
    server: { '0.3': ALL },
  },
  {
    id: 'rust',
    language: 'rust',
    folder: 'rust/sdk-1',
    title: 'Rust: a2a-client-lf',
    pinned: { file: 'Cargo.toml', pattern: /"a2a-client-lf", version = "=([^"]+)"/ },
    client: { '1.0': ALL },
    server: { '1.0': ALL },
  },
  {
    id: 'go-cli',
    language: 'go',
    folder: 'go/sdk',
    title: 'Go: the command `a2a`',
    pinned: { file: 'go.mod', pattern: /a2a-go\/v2 v(\S+)/ },
    // It takes the interface that the card lists first.
    client: { '1.0': ['JSONRPC'] },
    clientProgram: 'cli',
  },
];

export function sourceFolder({ folder }: Peer): string {
  return join(SOURCES, folder);
}

export async function versionOf(peer: Peer): Promise<string> {
  const text = await readFile(join(sourceFolder(peer), peer.pinned.file), 'utf8');
  const version = peer.pinned.pattern.exec(text)?.[1];
  if (version === undefined) throw new Error(`${peer.pinned.file} of ${peer.id} pins no version`);
  return version;
}
