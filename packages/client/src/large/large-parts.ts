import { randomUUID } from 'node:crypto';
import { rmSync, unlinkSync } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { A2AError, type Message, type Part, type Task } from '@holdword/protocol';
import { asObject, hasErrorCode } from '@holdword/protocol/internal';
import { makeFolders } from '@holdword/store/internal';
import { BoundedMap } from '../basics/bounded-map.ts';
import { LARGE_PART } from '../basics/client-names.ts';
import type { LargeKind } from './content-decoder.ts';
import { LargeText } from './large-text.ts';
import { type ContentWriter, JsonSplitter, type SplitOptions } from './split-json.ts';
import { makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts';

/** The content of a part that is in a file of the client. */
export interface LargeContent {
  /** What the file has: a `text` in UTF-8, `data` as JSON, or `raw`, the bytes of a file. */
  readonly kind: 'text' | 'data' | 'raw';
  /** The path of the file. */
  readonly path: string;
  /** The size of the file. */
  readonly bytes: number;
}

export interface LargePartsOptions {
  /** Without it, a temporary folder is created on first use and removed by `close`. */
  readonly folder: string | undefined;
  /** Maximum size of one response. */
  readonly maxResultBytes: number;
}

/** The folder may hold the contents of several results; the oldest are deleted first. */
const RESULTS_KEPT = 4;
const MAX_OPEN_TEXTS = 16;
const EXTENSIONS: Readonly<Record<LargeKind, string>> = { text: 'txt', data: 'json', raw: 'bin' };
const MEDIA_TYPES: Readonly<Record<LargeKind, string>> = {
  text: 'text/plain',
  data: 'application/json',
  raw: 'application/octet-stream',
};
const FILE_NAME = /^[0-9a-f-]{36}\.(txt|json|bin)$/;
const KINDS: Readonly<Record<string, LargeKind>> = { txt: 'text', json: 'data', bin: 'raw' };

/**
 * The contents of parts that are too large for memory, in files.
 *
 * Responsible for responses of bounded memory, for the size of the folder, and for a part of a remote agent never naming a file
 * that this folder does not hold. A file can be gone: the task then has to be fetched again. Leaves reading to
 * LargeText.
 */
export class LargeParts {
  readonly #options: LargePartsOptions;
  /** The folder that the user chose, or that of a task store. */
  #chosen: string | undefined;
  /** Sizes by file name, oldest first. Undefined until the folder is used. */
  #sizes: Map<string, number> | undefined;
  #folder: string | undefined;
  /** By placeholder: contents of responses that are not decoded yet. */
  readonly #received = new Map<string, LargeContent>();
  /** By path, so that a text is read once for its index and not for every view. */
  readonly #texts = new BoundedMap<string, Promise<LargeText>>({ entries: MAX_OPEN_TEXTS });
  readonly #closeAtExit = (): void => this.close();

  constructor(options: LargePartsOptions) {
    this.#options = options;
    this.#chosen = options.folder;
  }

  /** Keeps contents in this folder, unless the user chose one or there are contents already. */
  keepIn(folder: string): void {
    if (this.#folder === undefined) this.#chosen ??= folder;
  }

  /** Reads a response that is too large for memory. Returns its JSON with placeholders, for `resolve`. */
  async receive(
    begun: readonly Buffer[],
    rest: AsyncIterable<Buffer>,
    limits: Omit<SplitOptions, 'open'>,
  ): Promise<string> {
    const { maxResultBytes } = this.#options;
    const folder = await this.#open();
    const writers: FileWriter[] = [];
    let size = 0;
    const splitter = new JsonSplitter({
      ...limits,
      open: (kind) => {
        const writer = new FileWriter(join(folder, `${randomUUID()}.${EXTENSIONS[kind]}`), kind);
        writers.push(writer);
        return writer;
      },
    });
    try {
      for (const chunk of begun) {
        await splitter.push(chunk);
        // These are there already, so that nothing else would run until all of them are processed.
        await setImmediate();
      }
      size = begun.reduce((total, { length }) => total + length, 0);
      for await (const chunk of rest) {
        size += chunk.length;
        if (size > maxResultBytes) throw resultTooLarge(maxResultBytes);
        await splitter.push(chunk);
      }
      const json = await splitter.finish();
      for (const writer of writers) this.#add(writer);
      return json;
    } catch (error) {
      await Promise.all(writers.map((writer) => writer.discard()));
      throw error;
    }
  }

  /** Replaces the placeholders in a decoded response by parts that name the files. */
  resolve<Value>(value: Value): Value {
    if (this.#received.size === 0) return value;
    return this.#resolveIn(value) as Value;
  }

  /** The content of a part, if it is in a file of this folder. */
  async find(uri: string | undefined): Promise<LargeContent | undefined> {
    if (uri === undefined || !uri.startsWith('file:')) return undefined;
    // The files of an earlier run, and of other processes, are in the folder that was chosen.
    const folder = this.#chosen === undefined ? this.#folder : await this.#open();
    const path = pathOf(uri);
    if (folder === undefined || path === undefined) return undefined;
    const name = path.slice(folder.length + 1);
    const kind = KINDS[FILE_NAME.exec(name)?.[1] ?? ''];
    if (path !== join(folder, name) || kind === undefined) return undefined;
    const size = await sizeOf(folder, name);
    return size && { kind, path, bytes: size.bytes };
  }

  /** Whether a part was moved to a file that is gone by now. Only the client says so: see `withoutClientNames`. */
  async isGone(uri: string | undefined, metadata: unknown): Promise<boolean> {
    return asObject(metadata)[LARGE_PART] !== undefined && (await this.find(uri)) === undefined;
  }

  /** A text or JSON of this folder, to be read in ranges. */
  async text({ path }: LargeContent): Promise<LargeText> {
    const opened = this.#texts.get(path) ?? LargeText.open(path);
    this.#texts.set(path, opened);
    return opened.catch((error: unknown) => {
      this.#texts.delete(path);
      throw error;
    });
  }

  /** Removes the folder, unless it was chosen. */
  close(): void {
    process.off('exit', this.#closeAtExit);
    if (this.#folder === undefined || this.#chosen !== undefined) return;
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#sizes = undefined;
    this.#received.clear();
  }

  async #open(): Promise<string> {
    if (this.#folder !== undefined && this.#sizes !== undefined) return this.#folder;
    if (this.#chosen === undefined) {
      this.#sizes = new Map();
      this.#folder = makeTemporaryFolder();
      process.once('exit', this.#closeAtExit);
      await removeAbandonedFolders();
      return this.#folder;
    }
    const path = resolve(this.#chosen);
    makeFolders(path);
    const sizes = await readSizes(path);
    this.#sizes ??= sizes;
    this.#folder = path;
    return path;
  }

  #add({ placeholder, name, path, kind, bytes }: FileWriter): void {
    this.#received.set(placeholder, { kind, path, bytes });
    this.#sizes?.set(name, bytes);
    this.#evict(name);
  }

  /** Deletes the oldest files if there are too many bytes, but not the newest one. */
  #evict(newest: string): void {
    const sizes = this.#sizes ?? new Map<string, number>();
    let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const [name, bytes] of sizes) {
      if (total <= this.#options.maxResultBytes * RESULTS_KEPT || name === newest) return;
      sizes.delete(name);
      total -= bytes;
      removeFile(join(this.#folder ?? '', name));
    }
  }

  #resolveIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#resolveIn(each));
    if (typeof value !== 'object' || value === null) return value;
    const { task, message, tasks } = asObject(value);
    if (task !== undefined) return { ...value, task: this.#inTask(task as Task) };
    if (tasks !== undefined) return { ...value, tasks: this.#resolveIn(tasks) };
    if ('id' in value && 'status' in value) return this.#inTask(value as Task);
    return message === undefined ? value : { ...value, message: this.#inMessage(message as Message) };
  }

  #inTask(task: Task): Task {
    const { status, artifacts, history } = task;
    return {
      ...task,
      status: { ...status, ...(status.message && { message: this.#inMessage(status.message) }) },
      ...(artifacts && {
        artifacts: artifacts.map((each) => ({ ...each, parts: this.#inParts(each.parts) })),
      }),
      ...(history && { history: history.map((each) => this.#inMessage(each)) }),
    };
  }

  #inMessage(message: Message): Message {
    return { ...message, parts: this.#inParts(message.parts) };
  }

  #inParts(parts: readonly Part[]): Part[] {
    const seen = new Set<string>();
    return parts.flatMap((part) => {
      const placeholder = placeholderIn(part);
      // All texts of a list are in one file, which the first of them stands for.
      if (placeholder !== undefined && seen.has(placeholder)) return [];
      const content = placeholder === undefined ? undefined : this.#received.get(placeholder);
      if (placeholder === undefined || content === undefined) return [part];
      this.#received.delete(placeholder);
      seen.add(placeholder);
      return [largePart(part, content)];
    });
  }
}

function placeholderIn({ text, raw, data }: Part): string | undefined {
  if (text !== undefined) return text;
  if (raw !== undefined) return raw;
  const value = typeof data === 'string' ? data : asObject(data)['value'];
  return typeof value === 'string' ? value : undefined;
}

/** The same part with the content in a file. */
function largePart(part: Part, { kind, path, bytes }: LargeContent): Part {
  const { text: _text, raw: _raw, data: _data, mediaType, metadata, ...rest } = part;
  return {
    ...rest,
    url: pathToFileURL(path).href,
    mediaType: mediaType ?? MEDIA_TYPES[kind],
    metadata: { ...metadata, [LARGE_PART]: { kind, bytes } },
  };
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

async function readSizes(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name));
  const files = await Promise.all(names.map((name) => sizeOf(folder, name)));
  return new Map(
    files
      .filter((file) => file !== undefined)
      .toSorted((one, other) => one.time - other.time)
      .map(({ name, bytes }) => [name, bytes]),
  );
}

/** Undefined if there is no such file: another process may have deleted it. */
async function sizeOf(
  folder: string,
  name: string,
): Promise<{ name: string; bytes: number; time: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(join(folder, name));
    return { name, bytes: size, time: mtimeMs };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A file that is gone already, or cannot be deleted now, does no harm. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // See above.
  }
}

function resultTooLarge(maxBytes: number): A2AError {
  return new A2AError(
    'INVALID_AGENT_RESPONSE',
    `The agent's result exceeds the limit of ${maxBytes} bytes (maxResultBytes of A2AAgents, --max-result of "holdword mcp"). Ask the agent for less, or raise the limit.`,
  );
}

const BUFFER_BYTES = 256 * 1024;

/** Writes a content to a new file, through a buffer of fixed size. */
class FileWriter implements ContentWriter {
  /** Random, so that an agent cannot send one. */
  readonly placeholder = `large-part:${randomUUID()}`;
  readonly path: string;
  readonly kind: LargeKind;
  bytes = 0;
  #handle: FileHandle | undefined;
  #full: Buffer[] = [];
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #used = 0;

  constructor(path: string, kind: LargeKind) {
    this.path = path;
    this.kind = kind;
  }

  get name(): string {
    return this.path.slice(-(36 + 1 + EXTENSIONS[this.kind].length));
  }

  append(bytes: Buffer): void {
    this.bytes += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(this.#buffer, this.#used, at);
      at += copied;
      this.#used += copied;
      if (this.#used === BUFFER_BYTES) this.#turnOver();
    }
  }

  async flush(): Promise<void> {
    if (this.#full.length === 0) return;
    this.#handle ??= await open(this.path, 'wx', 0o600);
    const full = this.#full;
    this.#full = [];
    for (const buffer of full) await this.#handle.writeFile(buffer);
  }

  async close(): Promise<void> {
    this.#turnOver();
    await this.flush();
    await this.#handle?.close();
    this.#handle = undefined;
    this.#buffer = Buffer.alloc(0);
  }

  async discard(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    removeFile(this.path);
  }

  #turnOver(): void {
    this.#full.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    this.#used = 0;
  }
}
