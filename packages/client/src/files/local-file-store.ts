import { readdir, readFile, rm, type FileHandle } from 'node:fs/promises';
import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import { replaceSharedFile } from '@holdword/store/internal';
import { z } from 'zod';
import type { AnyArtifact } from '../llm/any-artifact.ts';
import { contentOfPart, type FileContent } from '../llm/part-content.ts';
import { safeName } from '../stores/safe-name.ts';
import { checkSize, downloadFile, type DownloadLimits } from './download-file.ts';
import { fileNames } from './file-name.ts';
import { FileProblem } from './file-problem.ts';
import type { FileStore } from './file-store.ts';
import { FilesNotSavedError, type UnsavedFile } from './files-not-saved-error.ts';
import { plainFolder } from './plain-folder.ts';

export interface LocalFileStoreOptions {
  /** The largest file that is saved. */
  maxFileBytes?: number | undefined;
  /** How long one download may take, in seconds. */
  downloadTimeout?: number | undefined;
  /** Ranges, addresses and host names that files may be downloaded from although they are private, or by http. */
  allow?: readonly string[] | undefined;
  /** The system's resolver of host names unless given. */
  resolve?: ResolveHost | undefined;
}

const DEFAULT_MAX_FILE_BYTES = 100 * 1024 * 1024;
const DEFAULT_DOWNLOAD_TIMEOUT = 60;
/** Says in which order the files belong to the parts of the artifact. */
const ORDER_FILE = '.order.json';
const orderSchema = z.array(z.string());

/**
 * Saves the files of artifacts as `<folder>/<task>/<artifact>/<name>`.
 *
 * Responsible for names that cannot leave the folder, for files that are whole or not there, and for calling no address
 * that agents must not make it call. Leaves to the caller when an artifact is complete enough to be saved.
 */
export class LocalFileStore implements FileStore {
  readonly #root: string;
  readonly #limits: DownloadLimits;
  readonly #client: GuardedClient;

  constructor(folder: string, options: LocalFileStoreOptions = {}) {
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

  /** Rejects with FilesNotSavedError when some could not be saved; the others are. */
  async save(taskId: string, artifact: AnyArtifact): Promise<string[]> {
    const files = artifact.parts.map(contentOfPart).filter((content) => content.kind === 'file');
    if (files.length === 0) {
      await this.delete(taskId, artifact.artifactId);
      return [];
    }
    const folder = await this.#folder(taskId, artifact.artifactId, { create: true });
    if (folder === undefined) throw new Error('The folder for the files was removed while they were saved.');
    const names = fileNames(files);
    const saved: string[] = [];
    const unsaved: UnsavedFile[] = [];
    for (const [index, file] of files.entries()) {
      const name = names[index] ?? '';
      try {
        await replaceSharedFile(`${folder}/${name}`, (handle) => this.#write(file, handle));
        saved.push(name);
      } catch (error) {
        unsaved.push({ name: file.name ?? null, reason: reasonOf(error) });
      }
    }
    await this.#keepOnly(folder, saved);
    const paths = saved.map((name) => `${folder}/${name}`);
    if (unsaved.length > 0) throw new FilesNotSavedError(paths, unsaved);
    return paths;
  }

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

  async delete(taskId: string, artifactId: string): Promise<void> {
    const folder = await this.#folder(taskId, artifactId, { create: false });
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #folder(taskId: string, artifactId: string, options: { create: boolean }): Promise<string | undefined> {
    return plainFolder(this.#root, [safeName(taskId), safeName(artifactId)], options);
  }

  async #write(file: FileContent, handle: FileHandle): Promise<void> {
    if (file.uri !== undefined) {
      await downloadFile(this.#client, file.uri, handle, this.#limits);
      return;
    }
    const bytes = file.bytes ?? '';
    // Four characters of base64 are three bytes: what is far too large is not decoded.
    checkSize(Math.floor((bytes.length - 2) / 4) * 3, this.#limits.maxBytes);
    const decoded = Buffer.from(bytes, 'base64');
    checkSize(decoded.length, this.#limits.maxBytes);
    await handle.writeFile(decoded);
  }

  /** Removes what an earlier version of the artifact had besides. */
  async #keepOnly(folder: string, names: readonly string[]): Promise<void> {
    const kept = new Set(names);
    for (const name of await savedNames(folder)) {
      if (!kept.has(name)) await rm(`${folder}/${name}`, { recursive: true, force: true });
    }
    await replaceSharedFile(`${folder}/${ORDER_FILE}`, (handle) => handle.writeFile(JSON.stringify(names)));
  }
}

/** Names that begin with a dot are ours. */
async function savedNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('.'));
}

/** Without it, for example for files that another program has put there, the order is that of the names. */
async function readOrder(folder: string): Promise<string[]> {
  try {
    return orderSchema.parse(JSON.parse(await readFile(`${folder}/${ORDER_FILE}`, 'utf8')));
  } catch {
    return [];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `it could not be written${code}; check the disk and the permissions`;
}
