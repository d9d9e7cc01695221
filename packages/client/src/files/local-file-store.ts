import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import { errorCode, shorten, trimEndOf } from '@holdword/protocol/internal';
import { makeFolders, replaceSharedFile } from '@holdword/store/internal';
import { z } from 'zod';
import { formatCount } from '../artifacts/shorten.ts';
import { BoundedMap } from '../basics/bounded-map.ts';
import { isOnAgentsMachine, ON_AGENTS_MACHINE } from '../basics/client-names.ts';
import {
  checkArgument,
  checkOptions,
  isByteCount,
  isFolder,
  isFunction,
  isPositiveSeconds,
  isTextList,
} from '../basics/check-options.ts';
import type { AnyArtifact } from '../llm/for-llm.ts';
import { contentOfPart, type FileContent, type UnsavedFile } from '../llm/part-content.ts';
import { safeName } from '../stores/safe-name.ts';
import { checkSize, checkTime, downloadFile, type DownloadLimits, FileTooLarge } from './download-file.ts';
import { fileNames, MAX_READ_LENGTH } from './file-names.ts';
import { FileProblem, FilesNotSavedError, type FileStore, type SaveFilesContext } from './file-store.ts';

/** Options of {@link LocalFileStore}. */
export interface LocalFileStoreOptions {
  /**
   * Maximum size of a file in bytes.
   * @default `104857600` (100 MiB)
   */
  maxFileBytes?: number | undefined;
  /**
   * Maximum size of all files of a task or message together, in bytes. There are at most 1,000 of them.
   * @default `1073741824` (1 GiB)
   */
  maxTaskBytes?: number | undefined;
  /**
   * Timeout of one download, in seconds.
   * @default 60
   */
  downloadTimeout?: number | undefined;
  /**
   * Private address ranges, addresses and host names that files may be downloaded from. Plain HTTP is allowed there, too.
   * Link-local and cloud metadata addresses stay refused.
   * @default []
   */
  allow?: readonly string[] | undefined;
  /** Resolves host names. Without it, the system's resolver is used. */
  resolve?: ResolveHost | undefined;
}

const DEFAULT_MAX_FILE_BYTES = 100 * 1024 * 1024;
const DEFAULT_MAX_TASK_BYTES = 1024 ** 3;
const MAX_TASK_FILES = 1_000;
const DEFAULT_DOWNLOAD_TIMEOUT = 60;
/** For so many tasks, what their files take is remembered. */
const MAX_TASKS_REMEMBERED = 1_000;
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
  readonly #maxTaskBytes: number;
  /** What the files of a task take, by artifact, by the folder of the task. */
  readonly #usage = new BoundedMap<string, Promise<Map<string, Usage>>>({ entries: MAX_TASKS_REMEMBERED });

  /**
   * @param folder Created on first use.
   * @throws TypeError if the folder is missing, or an option is unknown or invalid.
   */
  constructor(folder: string, options: LocalFileStoreOptions = {}) {
    checkArgument('new LocalFileStore(folder, options)', 'folder', folder, isFolder);
    checkOptions('new LocalFileStore(folder, options)', options, {
      maxFileBytes: isByteCount,
      maxTaskBytes: isByteCount,
      downloadTimeout: isPositiveSeconds,
      allow: isTextList,
      resolve: isFunction,
    } satisfies Record<keyof LocalFileStoreOptions, unknown>);
    this.#root = `${folder.slice(0, 1)}${trimEndOf(folder.slice(1), '/\\')}`;
    this.#limits = {
      maxBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
      timeoutMilliseconds: (options.downloadTimeout ?? DEFAULT_DOWNLOAD_TIMEOUT) * 1000,
    };
    this.#maxTaskBytes = options.maxTaskBytes ?? DEFAULT_MAX_TASK_BYTES;
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
    const usage = await this.#usageOf(dirname(folder));
    usage.delete(basename(folder));
    const taken = sumOf(usage);
    for (const [index, file] of files.entries()) {
      const name = names[index] ?? '';
      try {
        checkTime(context?.signal);
        if (taken.files >= MAX_TASK_FILES) throw new FileProblem(TOO_MANY_FILES);
        const left = this.#maxTaskBytes - taken.bytes;
        await replaceSharedFile(`${folder}/${name}`, async (handle) => {
          await this.#write(file, handle, left, context);
          taken.bytes += (await handle.stat()).size;
        });
        taken.files += 1;
        saved.push(name);
      } catch (error) {
        const shown = file.name === undefined ? null : shorten(file.name, MAX_READ_LENGTH);
        unsaved.push({ index, name: shown, reason: reasonOf(error) });
      }
    }
    usage.set(basename(folder), difference(taken, sumOf(usage)));
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
    if (folder === undefined) return;
    await rm(folder, { recursive: true, force: true });
    (await this.#usage.get(dirname(folder)))?.delete(basename(folder));
  }

  async #usageOf(taskFolder: string): Promise<Map<string, Usage>> {
    const usage = this.#usage.get(taskFolder) ?? readUsage(taskFolder);
    this.#usage.set(taskFolder, usage);
    return usage;
  }

  #folder(taskId: string, artifactId: string, options: { create: boolean }): Promise<string | undefined> {
    return plainFolder(this.#root, [safeName(taskId), safeName(artifactId)], options);
  }

  /** @param left What the task may still take. */
  async #write(
    file: FileContent,
    handle: FileHandle,
    left: number,
    context?: SaveFilesContext,
  ): Promise<void> {
    const { maxBytes, timeoutMilliseconds } = this.#limits;
    try {
      await writeContent(
        this.#client,
        file,
        handle,
        { maxBytes: Math.min(maxBytes, left), timeoutMilliseconds },
        context,
      );
    } catch (error) {
      const isTaskFull = left < maxBytes && error instanceof FileTooLarge;
      throw isTaskFull
        ? new FileProblem(`all files of this result are larger than ${formatCount(this.#maxTaskBytes)} bytes`)
        : error;
    }
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

async function writeContent(
  client: GuardedClient,
  { uri, bytes = '' }: FileContent,
  handle: FileHandle,
  limits: DownloadLimits,
  context?: SaveFilesContext,
): Promise<void> {
  if (uri !== undefined && context?.ownFiles.has(uri) === true) {
    await copyFile(fileURLToPath(uri), handle, limits.maxBytes);
    return;
  }
  if (isOnAgentsMachine(uri)) throw new FileProblem(ON_AGENTS_MACHINE);
  if (uri !== undefined) {
    await downloadFile(client, uri, handle, limits, context?.signal);
    return;
  }
  // Base64 is 4/3 of the size: oversized content is rejected before decoding.
  checkSize(Math.floor((bytes.length - 2) / 4) * 3, limits.maxBytes);
  const decoded = Buffer.from(bytes, 'base64');
  checkSize(decoded.length, limits.maxBytes);
  await handle.writeFile(decoded);
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

/** What files take on disk. */
interface Usage {
  files: number;
  bytes: number;
}

const TOO_MANY_FILES = `this result has more than ${formatCount(MAX_TASK_FILES)} files`;

function sumOf(usage: ReadonlyMap<string, Usage>): Usage {
  const sum = { files: 0, bytes: 0 };
  for (const { files, bytes } of usage.values()) {
    sum.files += files;
    sum.bytes += bytes;
  }
  return sum;
}

function difference(whole: Usage, part: Usage): Usage {
  return { files: whole.files - part.files, bytes: whole.bytes - part.bytes };
}

/** By artifact: from an earlier run, and of other programs. */
async function readUsage(taskFolder: string): Promise<Map<string, Usage>> {
  const usage = new Map<string, Usage>();
  for (const artifact of await readdir(taskFolder, { withFileTypes: true })) {
    if (!artifact.isDirectory()) continue;
    const folder = `${taskFolder}/${artifact.name}`;
    const names = await savedNames(folder);
    const sizes = await Promise.all(names.map(async (name) => (await lstat(`${folder}/${name}`)).size));
    usage.set(artifact.name, { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
  }
  return usage;
}

function reasonOf(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const code = errorCode(error);
  return `it could not be written${code === undefined ? '' : ` (${code})`}; check the disk and the permissions`;
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
  if (options.create) makeFolders(root);
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
