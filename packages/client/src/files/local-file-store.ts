import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import { errorCode } from '@holdword/protocol/internal';
import { replaceSharedFile } from '@holdword/store/internal';
import mime from 'mime';
import { z } from 'zod';
import { checkOptions, isByteCount, isFunction, isSeconds, isTextList } from '../basics/check-options.ts';
import type { AnyArtifact } from '../llm/for-llm.ts';
import { contentOfPart, type FileContent, type UnsavedFile } from '../llm/part-content.ts';
import { safeName } from '../stores/safe-name.ts';
import { checkSize, downloadFile, type DownloadLimits } from './download-file.ts';
import { FileProblem, FilesNotSavedError, type FileStore, type SaveFilesContext } from './file-store.ts';

/** Options of {@link LocalFileStore}. */
export interface LocalFileStoreOptions {
  /**
   * Maximum size of a file in bytes.
   * @default `104857600` (100 MiB)
   */
  maxFileBytes?: number | undefined;
  /**
   * Timeout of one download, in seconds.
   * @default 60
   */
  downloadTimeout?: number | undefined;
  /**
   * Private address ranges, addresses and host names that files may be downloaded from. Plain HTTP is allowed there, too.
   * @default []
   */
  allow?: readonly string[] | undefined;
  /** Resolves host names. Without it, the system's resolver is used. */
  resolve?: ResolveHost | undefined;
}

const DEFAULT_MAX_FILE_BYTES = 100 * 1024 * 1024;
const DEFAULT_DOWNLOAD_TIMEOUT = 60;
/** Stores the order of the files, which is that of the artifact's parts. */
const ORDER_FILE = '.order.json';
const orderSchema = z.array(z.string());

/**
 * Saves the files of artifacts as `<folder>/<task>/<artifact>/<name>`.
 *
 * Responsible for names that cannot escape the folder, for atomic writes, and for downloading only from allowed addresses.
 * Leaves to the caller when an artifact is complete enough to be saved.
 *
 * @example
 * ```ts
 * import { LocalFileStore } from '@holdword/client';
 *
 * const fileStore = new LocalFileStore('./storage/files');
 * const artifact = {
 *   artifactId: 'art-789',
 *   parts: [{ raw: 'aGVsbG8=', filename: 'hello.txt', mediaType: 'text/plain' }],
 * };
 * console.log(await fileStore.save('task-123', artifact)); // ['./storage/files/task-123/art-789/hello.txt']
 * ```
 */
export class LocalFileStore implements FileStore {
  readonly #root: string;
  readonly #limits: DownloadLimits;
  readonly #client: GuardedClient;

  /** @param folder Created on first use. */
  constructor(folder: string, options: LocalFileStoreOptions = {}) {
    checkOptions('new LocalFileStore(folder, options)', options, {
      maxFileBytes: isByteCount,
      downloadTimeout: isSeconds,
      allow: isTextList,
      resolve: isFunction,
    } satisfies Record<keyof LocalFileStoreOptions, unknown>);
    this.#root = folder.replace(/(?<=.)[/\\]+$/, '');
    this.#limits = {
      maxBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
      timeoutMilliseconds: (options.downloadTimeout ?? DEFAULT_DOWNLOAD_TIMEOUT) * 1000,
    };
    this.#client = createGuardedClient({
      ...(options.allow && { allow: options.allow }),
      ...(options.resolve && { resolve: options.resolve }),
    });
  }

  /**
   * Saves the file parts of an artifact, replacing earlier files. Files given by URL are downloaded.
   *
   * @returns The paths in the order of the parts.
   * @throws FilesNotSavedError if some files could not be saved; the others are saved.
   */
  async save(taskId: string, artifact: AnyArtifact, context?: SaveFilesContext): Promise<string[]> {
    const files = artifact.parts.map(contentOfPart).filter((content) => content.kind === 'file');
    if (files.length === 0) {
      await this.delete(taskId, artifact.artifactId);
      return [];
    }
    const folder = await this.#folder(taskId, artifact.artifactId, { create: true });
    if (folder === undefined) throw new Error('The folder was removed while files were being saved.');
    const names = fileNames(files);
    const saved: string[] = [];
    const unsaved: UnsavedFile[] = [];
    for (const [index, file] of files.entries()) {
      const name = names[index] ?? '';
      try {
        await replaceSharedFile(`${folder}/${name}`, (handle) => this.#write(file, handle, context));
        saved.push(name);
      } catch (error) {
        unsaved.push({ index, name: file.name ?? null, reason: reasonOf(error) });
      }
    }
    await this.#keepOnly(folder, saved);
    const paths = saved.map((name) => `${folder}/${name}`);
    if (unsaved.length > 0) throw new FilesNotSavedError(paths, unsaved);
    return paths;
  }

  /** Returns the paths of the saved files of an artifact; empty if there are none. */
  async get(taskId: string, artifactId: string): Promise<string[]> {
    const folder = await this.#folder(taskId, artifactId, { create: false });
    if (folder === undefined) return [];
    const names = await savedNames(folder);
    const order = new Map((await readOrder(folder)).map((name, index) => [name, index]));
    const position = (name: string): number => order.get(name) ?? order.size;
    return names
      .toSorted((one, other) => position(one) - position(other) || (one < other ? -1 : 1))
      .map((name) => `${folder}/${name}`);
  }

  /** Deletes the saved files of an artifact. */
  async delete(taskId: string, artifactId: string): Promise<void> {
    const folder = await this.#folder(taskId, artifactId, { create: false });
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #folder(taskId: string, artifactId: string, options: { create: boolean }): Promise<string | undefined> {
    return plainFolder(this.#root, [safeName(taskId), safeName(artifactId)], options);
  }

  async #write(file: FileContent, handle: FileHandle, context?: SaveFilesContext): Promise<void> {
    if (file.uri !== undefined && context?.ownFiles.has(file.uri) === true) {
      await copyFile(fileURLToPath(file.uri), handle, this.#limits.maxBytes);
      return;
    }
    if (file.uri !== undefined) {
      await downloadFile(this.#client, file.uri, handle, this.#limits);
      return;
    }
    const bytes = file.bytes ?? '';
    // Base64 is 4/3 of the size: oversized content is rejected before decoding.
    checkSize(Math.floor((bytes.length - 2) / 4) * 3, this.#limits.maxBytes);
    const decoded = Buffer.from(bytes, 'base64');
    checkSize(decoded.length, this.#limits.maxBytes);
    await handle.writeFile(decoded);
  }

  /** Deletes files of an earlier version of the artifact. */
  async #keepOnly(folder: string, names: readonly string[]): Promise<void> {
    const kept = new Set(names);
    for (const name of await savedNames(folder)) {
      if (!kept.has(name)) await rm(`${folder}/${name}`, { recursive: true, force: true });
    }
    await replaceSharedFile(`${folder}/${ORDER_FILE}`, (handle) => handle.writeFile(JSON.stringify(names)));
  }
}

/** Not renamed: the task still refers to the original. */
async function copyFile(path: string, handle: FileHandle, maxBytes: number): Promise<void> {
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    checkSize(size, maxBytes);
    await handle.writeFile(chunk);
  }
}

/** Names that start with a dot are internal. */
async function savedNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('.'));
}

/** Without the order file, for example for files from another program, the order is alphabetical. */
async function readOrder(folder: string): Promise<string[]> {
  try {
    return orderSchema.parse(JSON.parse(await readFile(`${folder}/${ORDER_FILE}`, 'utf8')));
  } catch {
    return [];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const code = errorCode(error);
  return `it could not be written${code === undefined ? '' : ` (${code})`}; check the disk and the permissions`;
}

/** Characters with a special meaning to file systems or shells, and control characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*/\\]+/gu;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** File systems limit names by bytes, not characters. */
const MAX_NAME_BYTES = 200;
const MAX_READ_LENGTH = 1_000;

interface NamedFile {
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
}

/**
 * Unique names for the files of an artifact that are safe on every file system: the agent's name, sanitized, or a number
 * with an extension for the media type.
 */
export function fileNames(files: readonly NamedFile[]): string[] {
  const taken = new Set<string>();
  /** By name, so that many files with the same name do not try all numbers each. */
  const lastCopies = new Map<string, number>();
  return files.map((file, index) => {
    const wanted = safeFileName(file.name) ?? `file-${index + 1}${extensionOf(file.mimeType)}`;
    let copy = lastCopies.get(keyOf(wanted)) ?? 1;
    let name = copy === 1 ? wanted : numbered(wanted, copy);
    for (; taken.has(keyOf(name)); name = numbered(wanted, copy)) copy += 1;
    lastCopies.set(keyOf(wanted), copy);
    taken.add(keyOf(name));
    return name;
  });
}

function safeFileName(name: string | undefined): string | undefined {
  // The end, which has the extension. Cut before anything looks at it: agents write names of any length.
  const [last = ''] = (name ?? '').slice(-MAX_READ_LENGTH).split(/[/\\]/).slice(-1);
  const cleaned = last
    .normalize('NFC')
    .replaceAll(UNSAFE, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  if (cleaned === '') return undefined;
  return shortened(DEVICE.test(cleaned) ? `_${cleaned}` : cleaned);
}

/** Shortens a name, but keeps its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const { stem, extension } = splitName(name);
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  // A truncated character at the end decodes to the replacement character.
  const cut = Buffer.from(stem)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, '');
  return `${cut}${extension}`;
}

function numbered(name: string, copy: number): string {
  const { stem, extension } = splitName(name);
  return `${stem}-${copy}${extension}`;
}

function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

function extensionOf(mimeType: string | undefined): string {
  const extension = mimeType === undefined ? null : mime.getExtension(mimeType);
  return extension === null ? '' : `.${extension}`;
}

/** Some file systems ignore case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

/**
 * Resolves nested folders below a root. None of them may be a symbolic link, which could redirect writes elsewhere. Creates
 * missing folders if asked to; otherwise returns undefined for them.
 */
async function plainFolder(
  root: string,
  names: readonly string[],
  options: { create: boolean },
): Promise<string | undefined> {
  if (options.create) await mkdir(root, { recursive: true, mode: 0o700 });
  let folder = root;
  for (const name of names) {
    folder = `${folder}/${name}`;
    if (options.create) await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
    const found = await lstat(folder).catch(ignoreMissing);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) {
      throw new Error(`Files cannot be saved: "${name}" exists but is not a folder. Remove it.`);
    }
  }
  return folder;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
