import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Log } from '../log.ts';
import type { AuditLog } from './audit-log.ts';

export interface AuditFileOptions {
  file: string;
  log: Log;
  /** The file is set aside when it has grown to this; 64 MiB unless given. */
  rotateBytes?: number;
  /** How many files that were set aside are kept; 4 unless given. */
  keptFiles?: number;
}

const FLUSH_MILLISECONDS = 500;
const FLUSH_BYTES = 64 * 1024;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
const DEFAULT_ROTATE_BYTES = 64 * 1024 * 1024;
const DEFAULT_KEPT_FILES = 4;

/** Opens the file for appending, so that a place that cannot be written is known at the start. */
export async function openAuditFile(options: AuditFileOptions): Promise<AuditLog> {
  const handle = await open(options.file, 'a', 0o600);
  return new AuditFile(options, handle, (await handle.stat()).size);
}

/**
 * Lines at the end of a file that is only ever appended to.
 *
 * Responsible for order, for a delay of less than a second until a line is in the file, for setting the file aside when
 * it is large, and for bounded memory: when the disk does not keep up, lines are dropped and that is logged.
 * Leaves durability to the journal: the newest lines may be lost when the machine goes down.
 */
class AuditFile implements AuditLog {
  readonly #options: AuditFileOptions;
  #handle: FileHandle;
  #size: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(options: AuditFileOptions, handle: FileHandle, size: number) {
    this.#options = options;
    this.#handle = handle;
    this.#size = size;
  }

  write(line: string): void {
    if (this.#closed || this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length + 1;
    if (this.#waitingBytes >= FLUSH_BYTES) this.#flushSoon();
    else this.#timer ??= setTimeout(() => this.#flushSoon(), FLUSH_MILLISECONDS).unref();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    this.#flushSoon();
    await this.#writing;
    await this.#handle.close();
  }

  #flushSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#flush().finally(() => (this.#writing = undefined));
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const text = `${this.#waiting.join('\n')}\n`;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await this.#append(Buffer.from(text));
      } catch (error) {
        this.#options.log.error('Lines of the audit log were not written.', { error: String(error) });
      }
    }
    if (this.#dropped > 0) {
      this.#options.log.error('The disk did not keep up with the audit log.', { lines: this.#dropped });
      this.#dropped = 0;
    }
  }

  async #append(bytes: Buffer): Promise<void> {
    const { rotateBytes = DEFAULT_ROTATE_BYTES } = this.#options;
    if (this.#size > 0 && this.#size + bytes.length > rotateBytes) await this.#rotate();
    await this.#handle.appendFile(bytes);
    this.#size += bytes.length;
  }

  /** `audit.jsonl` becomes `audit.1.jsonl`, that one `audit.2.jsonl`; the oldest is replaced. */
  async #rotate(): Promise<void> {
    const { file, keptFiles = DEFAULT_KEPT_FILES } = this.#options;
    for (let number = keptFiles; number > 1; number -= 1) {
      if (await exists(asideName(file, number - 1)))
        await rename(asideName(file, number - 1), asideName(file, number));
    }
    await rename(file, asideName(file, 1));
    const fresh = await open(file, 'a', 0o600);
    await this.#handle.close();
    this.#handle = fresh;
    this.#size = 0;
  }
}

function asideName(file: string, number: number): string {
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}.${number}${extension}`;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
