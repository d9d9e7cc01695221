import { createHash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@holdword/protocol/internal';
import { makeFolders, replaceSharedFile } from '@holdword/store/internal';
import type { OutboundConfig } from '../config.ts';
import type { SavedFile } from '../contract.ts';
import type { PluginLogger } from '../plugin-api.ts';
import { isBase64 } from '../base64.ts';
import { shownId } from '../remote-ids.ts';

export interface ReceivedFilesOptions {
  /** Without a folder, nothing is saved. */
  readonly folder: string | undefined;
  readonly limits: OutboundConfig['files'];
  readonly logger?: PluginLogger | undefined;
  readonly now?: () => number;
}

/** A file in an answer of an agent. */
export interface ReceivedFile {
  readonly base64: string;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** More saved files than this are not kept, whatever their size. */
const MAX_KEPT = 1_000;
const LONGEST_SWEEP_INTERVAL = 60 * 60 * 1000;
const MAX_NAME_LENGTH = 60;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

/**
 * The files that agents have returned, where the model's other tools can read them.
 *
 * Responsible for names that are safe on every file system and in a prompt, for one copy of the same file, and for bounds: files
 * per answer, bytes, age. The folder of a file is named after its content and its name, so a path never changes its meaning.
 */
export class ReceivedFiles {
  readonly #options: ReceivedFilesOptions;
  /** What the last sweep left, and what this process has saved since. */
  #kept = { bytes: 0, count: 0 };
  #sweptAt = 0;

  constructor(options: ReceivedFilesOptions) {
    this.#options = options;
  }

  /** Saves the files of one answer; one that cannot be saved has an `error` instead of a path. */
  async save(files: readonly ReceivedFile[]): Promise<SavedFile[]> {
    const saved: SavedFile[] = [];
    let room = this.#options.limits.maxTotalBytes;
    for (const [index, file] of files.entries()) {
      const each = await this.#saveOne(file, index, room);
      if (each.path !== undefined) room -= each.bytes;
      saved.push(each);
    }
    if (this.#needsSweep) await this.#sweep();
    return saved;
  }

  /** A sweep reads the whole folder, so it happens when a limit may be exceeded, not with every answer. */
  get #needsSweep(): boolean {
    const { maxTotalBytes, maxAgeMs } = this.#options.limits;
    const { bytes, count } = this.#kept;
    const interval = Math.min(maxAgeMs / 10, LONGEST_SWEEP_INTERVAL);
    return bytes > maxTotalBytes || count > MAX_KEPT || this.#now() - this.#sweptAt > interval;
  }

  async #saveOne({ base64, name, mediaType }: ReceivedFile, index: number, room: number): Promise<SavedFile> {
    const { folder, limits } = this.#options;
    const facts = {
      ...(name !== undefined && { name }),
      ...(mediaType !== undefined && MEDIA_TYPE.test(mediaType) && { mime_type: mediaType }),
      bytes: Buffer.byteLength(base64, 'base64'),
    };
    if (folder === undefined || !limits.save) return { ...facts, error: 'saving files is turned off' };
    if (!isBase64(base64)) return { ...facts, error: 'its content is not valid Base64' };
    if (index >= limits.maxPerResult)
      return {
        ...facts,
        error: `an answer may have at most ${limits.maxPerResult} files (files.maxPerResult)`,
      };
    if (facts.bytes > limits.maxFileBytes)
      return { ...facts, error: `it is larger than ${limits.maxFileBytes} bytes (files.maxFileBytes)` };
    if (facts.bytes > room)
      return {
        ...facts,
        error: `the files are larger than ${limits.maxTotalBytes} bytes (files.maxTotalBytes)`,
      };
    try {
      return { path: await this.#write(folder, Buffer.from(base64, 'base64'), safeName(name)), ...facts };
    } catch (error) {
      this.#options.logger?.warn(`remote_agent could not save a file in ${folder}: ${String(error)}`);
      return { ...facts, error: `it could not be written (${errorCode(error) ?? 'unknown error'})` };
    }
  }

  async #write(root: string, content: Buffer, name: string): Promise<string> {
    const digest = createHash('sha256').update(content).update('\0').update(name).digest('hex');
    const folder = join(root, digest.slice(0, 24));
    const path = join(folder, name);
    makeFolders(folder);
    const found = await stat(path).catch(() => undefined);
    const now = this.#now() / 1000;
    if (found?.isFile() !== true || found.size !== content.length) {
      await replaceSharedFile(path, (handle) => handle.writeFile(content));
      this.#kept.bytes += content.length;
      this.#kept.count += 1;
    }
    // Its age counts from the last answer that contained it.
    await utimes(path, now, now);
    return path;
  }

  /** Deletes what exceeds the limits, the oldest files first. */
  async #sweep(): Promise<void> {
    this.#sweptAt = this.#now();
    const { folder, limits } = this.#options;
    if (folder === undefined || !limits.save) return;
    const kept = { bytes: 0, count: 0 };
    const newest = (await listFiles(folder)).toSorted((one, other) => other.savedAt - one.savedAt);
    for (const file of newest) {
      const bytes = kept.bytes + file.bytes;
      const isOld = this.#now() - file.savedAt > limits.maxAgeMs;
      if (!isOld && kept.count < MAX_KEPT && bytes <= limits.maxTotalBytes) {
        kept.bytes = bytes;
        kept.count += 1;
        continue;
      }
      // Another process may have deleted it.
      await rm(file.folder, { recursive: true, force: true }).catch(() => {});
    }
    this.#kept = kept;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

interface KeptFile {
  readonly folder: string;
  readonly savedAt: number;
  readonly bytes: number;
}

/** Only folders that this plugin has made: the user may have chosen a folder with other files. */
async function listFiles(root: string): Promise<KeptFile[]> {
  const names = await readdir(root).catch(() => []);
  const files: KeptFile[] = [];
  for (const name of names.filter((each) => /^[0-9a-f]{24}$/.test(each))) {
    const folder = join(root, name);
    const inside = await readdir(folder).catch(() => []);
    const stats = await Promise.all(inside.map((file) => stat(join(folder, file)).catch(() => undefined)));
    const found = stats.filter((each) => each !== undefined);
    files.push({
      folder,
      savedAt: Math.max(0, ...found.map(({ mtimeMs }) => mtimeMs)),
      bytes: found.reduce((sum, { size }) => sum + size, 0),
    });
  }
  return files;
}

/**
 * A name of letters, digits, dots, dashes and underscores: the path is shown to the model as ours, so the agent's name must
 * neither leave the folder nor contain a text. One with many words becomes `file`.
 */
function safeName(name = ''): string {
  const [last = ''] = name.slice(-1_000).split(/[/\\]/).slice(-1);
  const cleaned = last.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[.-]+|[.-]+$/g, '');
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(cleaned)?.[0] ?? '';
  const stem = cleaned
    .slice(0, cleaned.length - extension.length)
    .slice(0, MAX_NAME_LENGTH - extension.length);
  const safe = `${stem}${extension}`;
  return stem === '' || DEVICE.test(stem) || shownId(safe) === undefined ? `file${extension}` : safe;
}
