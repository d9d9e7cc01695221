import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberAt, parseJson, textAt } from '../json-value.ts';
import { bootId, identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

/** What is known of a process that a server started. */
export interface ProcessRecord {
  readonly mark: string;
  /** Undefined when the server died while it started the process. */
  readonly process: ProcessIdentity | undefined;
}

const SUFFIX = '.json';

/**
 * One small file per running process, so that a server that comes after a crash can end what the dead one left behind.
 *
 * Responsible for the record being there before its process is, and for never giving out the records of a server that
 * still runs. Not synced: a power cut ends the processes as well.
 */
export class ProcessRecords {
  readonly #folder: string;
  readonly #boot = bootId();
  readonly #server = identityOf(process.pid);

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Before the process starts its number is not known; its mark is. */
  write(mark: string, identity?: ProcessIdentity): void {
    const file = this.#fileOf(mark);
    const content = { boot: this.#boot, server: this.#server, process: identity };
    writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  remove(mark: string): void {
    try {
      unlinkSync(this.#fileOf(mark));
    } catch {
      // Somebody else was quicker.
    }
  }

  /** Of servers that died while the system ran on. Records from before its start are removed: nothing survived that. */
  leftBehind(): ProcessRecord[] {
    const marks = readdirSync(this.#folder)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length));
    return marks.flatMap((mark) => {
      const content = readJson(this.#fileOf(mark));
      if (textAt(content, 'boot') !== this.#boot) {
        this.remove(mark);
        return [];
      }
      const server = identityAt(content, 'server');
      if (server !== undefined && isAlive(server)) return [];
      return [{ mark, process: identityAt(content, 'process') }];
    });
  }

  #fileOf(mark: string): string {
    return join(this.#folder, mark + SUFFIX);
  }
}

/** Undefined for a file that is gone. */
function readJson(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function identityAt(content: unknown, name: string): ProcessIdentity | undefined {
  const pid = numberAt(content, name, 'pid');
  const startTime = textAt(content, name, 'startTime');
  return pid === undefined || startTime === undefined ? undefined : { pid, startTime };
}
