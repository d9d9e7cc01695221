import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Part } from '@holdword/protocol';
import type { CliFile } from './profile.ts';

/** A message as one text: its texts, its data as JSON, its files as paths or URLs. */
export function promptOf(parts: readonly Part[], files: readonly CliFile[]): string {
  const saved = files[Symbol.iterator]();
  return parts
    .map((part) => textOf(part, () => saved.next().value))
    .filter((text) => text !== '')
    .join('\n\n');
}

function textOf(part: Part, nextFile: () => CliFile | undefined): string {
  if (part.text !== undefined) return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data, undefined, 2);
  const location = part.raw === undefined ? part.url : nextFile()?.path;
  if (location === undefined) return '';
  return `Attached file: ${location}${part.mediaType ? ` (${part.mediaType})` : ''}`;
}

/** The files of a message on disk, and how to remove them. */
export interface MessageFiles {
  readonly files: readonly CliFile[];
  remove(): Promise<void>;
}

const MAX_NAME_LENGTH = 100;

/** Saves the files of a message to a temporary folder, for programs that read files from disk. */
export async function saveMessageFiles(parts: readonly Part[]): Promise<MessageFiles> {
  const attached = parts.filter((part) => part.raw !== undefined);
  if (attached.length === 0) return { files: [], remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'holdword-files-'));
  const files = await Promise.all(attached.map((part, index) => save(folder, part, index + 1)));
  return { files, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A prompt on disk, if it was saved, and how to remove it. */
export interface SavedPrompt {
  readonly path?: string;
  remove(): Promise<void>;
}

/** Saves a prompt of more bytes than `above` to a temporary folder: the command line of a program has a limit. */
export async function savePrompt(prompt: string, above = Infinity): Promise<SavedPrompt> {
  if (Buffer.byteLength(prompt) <= above) return { remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'holdword-message-'));
  const path = join(folder, 'message.txt');
  await writeFile(path, prompt, { mode: 0o600 });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
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

/** A name from a caller must not lead out of the folder, hide the file or look like an option. */
function safeName(filename: string | undefined): string {
  const name = basename((filename ?? '').replaceAll('\\', '/')).replaceAll(/[^\w.-]+/g, '_');
  const safe = name.replace(/^\.+/, '').slice(-MAX_NAME_LENGTH);
  return safe === '' ? 'file' : safe;
}
