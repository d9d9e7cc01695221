import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Part } from '@holdword/protocol';
import type { CliFile } from './profile.ts';

/** The files of a message as they lie on disk, and how to remove them. */
export interface MessageFiles {
  readonly files: readonly CliFile[];
  remove(): Promise<void>;
}

const LONGEST_NAME = 100;

/** Saves the files that came with a message in a folder of their own, for programs that read files by their paths. */
export async function saveMessageFiles(parts: readonly Part[]): Promise<MessageFiles> {
  const attached = parts.filter((part) => part.raw !== undefined);
  if (attached.length === 0) return { files: [], remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'holdword-files-'));
  const files = await Promise.all(attached.map((part, index) => save(folder, part, index + 1)));
  return { files, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function save(
  folder: string,
  { raw = '', filename, mediaType }: Part,
  number: number,
): Promise<CliFile> {
  const path = join(folder, `${number}-${safeName(filename)}`);
  await writeFile(path, Buffer.from(raw, 'base64'), { mode: 0o600 });
  return { path, mediaType };
}

/** A caller's name for a file never leads out of the folder, nor does it hide the file or look like an option. */
function safeName(filename: string | undefined): string {
  const name = basename((filename ?? '').replaceAll('\\', '/')).replaceAll(/[^\w.-]+/g, '_');
  const safe = name.replace(/^\.+/, '').slice(-LONGEST_NAME);
  return safe === '' ? 'file' : safe;
}
