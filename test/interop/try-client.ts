import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { spawnHoldword, type ServedHoldword } from '../support/spawn-holdword.ts';
import { CASES, isCaseLine, type Binding, type CaseLine, type CaseName, type Version } from './contract.ts';
import type { Command, Peer } from './peers.ts';
import { startProgram } from './programs.ts';
import { startNotified, type Notified } from './notified.ts';

const AGENT = join(import.meta.dirname, 'agent.ts');
const LIMIT_MILLISECONDS = 300_000;

/** The servers that foreign clients are tried on: an open one, the same without gRPC, one that requires a key, and a receiver of notifications. */
export interface Lab {
  try(peer: Peer, client: Command, over: Over): Promise<readonly CaseLine[]>;
  close(): Promise<void>;
}

interface Over {
  readonly version: Version;
  readonly binding: Binding;
}

/** Starts `holdword serve`, as a user does, with the agent of the lab. */
export async function openLab(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-interop-'));
  const notified = await startNotified();
  const key = await addKey(folder);
  const push = { allowPrivate: ['127.0.0.1'] };
  const open = await serve(folder, 'open', '0', { push });
  const withoutGrpc = await serve(folder, 'without-grpc', 'off', { push });
  const secured = await serve(folder, 'secured', '0', {
    card: {
      extended: { skills: [{ id: 'secret', name: 'Secret', description: 'For callers with a key.' }] },
    },
  });
  return {
    try: ({ refusesGrpc }, client, over) =>
      tryClient(client, { ...over, open: refusesGrpc === true ? withoutGrpc : open, secured, key, notified }),
    async close() {
      await Promise.all([open.stop(), withoutGrpc.stop(), secured.stop(), notified.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

async function addKey(folder: string): Promise<string> {
  const adding = new HoldwordProcess(['keys', 'add', 'lab', '--data', join(folder, 'secured')], {
    cwd: folder,
  });
  const [key] = await adding.printed(/holdword_\S+/);
  await adding.ended;
  return key;
}

async function serve(
  folder: string,
  name: string,
  grpcPort: string,
  config: object,
): Promise<ServedHoldword> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(config));
  const ports = ['--port', '0', '--grpc-port', grpcPort];
  return spawnHoldword([...ports, '--agent', AGENT, '--config', file, '--data', join(folder, name)], {
    cwd: folder,
  });
}

interface Trial extends Over {
  readonly open: ServedHoldword;
  readonly secured: ServedHoldword;
  readonly key: string;
  readonly notified: Notified;
}

async function tryClient(client: Command, trial: Trial): Promise<readonly CaseLine[]> {
  const { version, binding, open, secured, key, notified } = trial;
  const program = startProgram(
    client,
    [open.target.baseUrl, binding, version, notified.origin, secured.target.baseUrl, key],
    LIMIT_MILLISECONDS,
  );
  const lines: CaseLine[] = [];
  try {
    for await (const line of program.lines) {
      const value = parse(line);
      if (isCaseLine(value)) lines.push(value);
    }
  } finally {
    await program.stop();
  }
  if (lines.length > 0) return lines;
  // A client that cannot even be opened fails in every case, for the same reason.
  const detail = program.errors().split('\n').at(-1) ?? 'the program printed nothing';
  return (Object.keys(CASES) as CaseName[]).map((name) => ({ case: name, ok: false, detail }));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
