import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { DiskOperation } from './cut-disk.ts';

const WORKLOAD = join(import.meta.dirname, 'workload.ts');
const RECORDER = join(import.meta.dirname, 'record-files.ts');
const TRACED =
  'openat,write,pwrite64,pwritev,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat';

export type Backend = 'sqlite' | 'json-file';

/** Why a backend cannot be recorded on this machine. */
export function problemOf(backend: Backend): string | undefined {
  if (backend === 'json-file') return undefined;
  if (process.platform !== 'linux') return 'strace exists on Linux only';
  const { status } = spawnSync('strace', ['-qq', '-e', 'trace=none', '--', 'true']);
  return status === 0 ? undefined : 'strace is not installed, or may not trace processes here';
}

/** Runs the workload, and returns what it did to its disk in order. */
export async function recordWorkload(
  backend: Backend,
  { folder, traces, seed, tasks }: { folder: string; traces: string; seed: string; tasks: number },
): Promise<DiskOperation[]> {
  const workload = [WORKLOAD, backend, folder, seed, String(tasks)];
  if (backend === 'json-file') {
    const recording = join(traces, 'recording');
    await run(process.execPath, ['--import', RECORDER, ...workload], {
      RECORDED_FOLDER: folder,
      RECORDING: recording,
    });
    return (await readFile(recording, 'utf8')).trim().split('\n').map(parseRecorded);
  }
  const options = ['-ff', '-qq', '-y', '-xx', '-ttt', '-T', '-s', '20000000', '-e', `trace=${TRACED}`];
  await run('strace', [...options, '-o', join(traces, 'trace'), process.execPath, ...workload], {});
  return readTraces(traces, folder);
}

async function run(command: string, words: readonly string[], environment: Record<string, string>) {
  const child = spawn(command, words, {
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The workload ended with code ${code}: ${errors}`);
}

function parseRecorded(line: string): DiskOperation {
  const operation = JSON.parse(line) as DiskOperation & { bytes?: string };
  return operation.kind === 'write'
    ? { ...operation, bytes: Buffer.from(operation.bytes as unknown as string, 'base64') }
    : operation;
}

/** One file per thread: a line is never torn by another thread. What a call does counts from its start, a sync from its end. */
async function readTraces(traces: string, folder: string): Promise<DiskOperation[]> {
  const timed: { at: number; operation: DiskOperation }[] = [];
  for (const name of await readdir(traces)) {
    for await (const line of createInterface({ input: createReadStream(join(traces, name)) })) {
      const parsed = parseTraced(line, folder);
      if (parsed !== undefined) timed.push(parsed);
    }
  }
  return timed.toSorted((one, other) => one.at - other.at).map(({ operation }) => operation);
}

const LINE = /^(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(?:<[^>]*>)?.* <(\d+\.\d+)>$/s;
const DESCRIPTOR = /^(\d+)<([^>]*)>/;
const STRING = /"((?:\\x[0-9a-f]{2})*)"/g;

function parseTraced(line: string, folder: string): { at: number; operation: DiskOperation } | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, at = '', call = '', words = '', result = '', seconds = ''] = match;
  if (Number(result) < 0) return undefined;
  const operation = operationOf(call, words, folder);
  if (operation === undefined) return undefined;
  const isSync = operation.kind === 'sync' || operation.kind === 'sync-folder';
  return { at: Number(at) + (isSync ? Number(seconds) : 0), operation };
}

function operationOf(call: string, words: string, folder: string): DiskOperation | undefined {
  const [, descriptor, file = ''] = DESCRIPTOR.exec(words) ?? [];
  const ofDescriptor = fromHex(file).toString();
  const strings = [...words.matchAll(STRING)].map(([, text = '']) => fromHex(text));
  if (call === 'write' && descriptor === '1')
    return { kind: 'note', text: (strings[0] ?? Buffer.alloc(0)).toString().trim() };
  const inside = (path: string): string | undefined => {
    const name = relative(folder, path) || '.';
    return name.startsWith('..') || name.includes('holdword.lock') || name.endsWith('-shm')
      ? undefined
      : name;
  };
  const path = inside(
    descriptor === undefined || call === 'openat' ? (strings[0] ?? '').toString() : ofDescriptor,
  );
  if (path === undefined) return undefined;
  const last = Number(/(\d+)$/.exec(words)?.[1]);
  switch (call) {
    case 'openat':
      return words.includes('O_CREAT') ? { kind: 'create', path } : undefined;
    case 'write':
      return { kind: 'write', path, bytes: strings[0] as Buffer };
    case 'pwrite64':
      return { kind: 'write', path, offset: last, bytes: strings[0] as Buffer };
    case 'ftruncate':
      return { kind: 'truncate', path, length: last };
    case 'fsync':
    case 'fdatasync':
      return { kind: path === '.' ? 'sync-folder' : 'sync', path };
    case 'unlink':
    case 'unlinkat':
      return { kind: 'remove', path };
    default:
      throw new Error(`The recording has a call that it cannot replay: ${call}.`);
  }
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
