import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';

/*
 * Is loaded before a program and records what it does to its files, for stores that write with Node. SQLite writes without
 * Node, and is recorded by strace.
 */

const folder = process.env['RECORDED_FOLDER'] ?? '';
const recording = fs.openSync(process.env['RECORDING'] ?? '', 'a');
const { writeSync, promises, openSync, fsyncSync } = fs;
const pathOfDescriptor = new Map<number, string>();

function record(operation: Record<string, unknown>): void {
  writeSync(recording, `${JSON.stringify(operation)}\n`);
}

function recorded(path: unknown): string | undefined {
  const inside = relative(folder, String(path));
  return inside.startsWith('..') || inside.includes('holdword.lock') ? undefined : inside || '.';
}

function isCreating(flags: unknown): boolean {
  return flags === 'w' || flags === 'wx' || flags === 'ax' || flags === 'a';
}

const openPromise = promises.open.bind(promises);
promises.open = async (path, flags, mode) => {
  const name = recorded(path);
  if (name === undefined) return openPromise(path, flags, mode);
  if (isCreating(flags)) record({ kind: 'create', path: name });
  if (flags === 'w') record({ kind: 'truncate', path: name, length: 0 });
  const handle = await openPromise(path, flags, mode);
  const [write, sync] = [handle.writeFile.bind(handle), handle.sync.bind(handle)];
  const isFolder = (await handle.stat()).isDirectory();
  handle.writeFile = async (data, options) => {
    const bytes = Buffer.from(data as string | Buffer).toString('base64');
    record({ kind: 'write', path: name, bytes });
    return write(data, options);
  };
  handle.sync = async () => {
    await sync();
    record({ kind: isFolder ? 'sync-folder' : 'sync', path: name });
  };
  return handle;
};

const rename = promises.rename.bind(promises);
promises.rename = async (from, to) => {
  record({ kind: 'rename', path: recorded(from), to: recorded(to) });
  return rename(from, to);
};

const rm = promises.rm.bind(promises);
promises.rm = async (path, options) => {
  record({ kind: 'remove', path: recorded(path) });
  return rm(path, options);
};

const truncate = promises.truncate.bind(promises);
promises.truncate = async (path, length = 0) => {
  record({ kind: 'truncate', path: recorded(path), length });
  return truncate(path, length);
};

fs.openSync = (path, flags, mode) => {
  const descriptor = openSync(path, flags, mode);
  const name = recorded(path);
  if (name !== undefined) pathOfDescriptor.set(descriptor, name);
  return descriptor;
};

fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  const name = pathOfDescriptor.get(descriptor);
  if (name !== undefined) record({ kind: 'sync-folder', path: name });
};

fs.writeSync = ((descriptor: number, text: string) => {
  if (descriptor === 1) record({ kind: 'note', text: text.trim() });
  return writeSync(descriptor, text);
}) as typeof fs.writeSync;

syncBuiltinESMExports();
