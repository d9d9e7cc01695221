import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '@holdword/store/internal';
import { numberAt, parseJson, textAt } from '../json-value.ts';
import { bootId, identityOf, isAlive, type ProcessIdentity } from './running-processes.ts';

/** A process that a server started. */
export interface ProcessRecord {
  readonly mark: string;
  /** Undefined if the server died while starting the process. */
  readonly process: ProcessIdentity | undefined;
}

const SUFFIX = '.json';

/**
 * One small file per running process, so that the server that starts after a crash can end the processes left running.
 *
 * Responsible for writing the record before its process starts, and for never returning the records of a server that is
 * still running. Not synced to disk: a power failure ends the processes as well.
 */
export class ProcessRecords {
  readonly #folder: string;
  readonly #boot = bootId();
  readonly #server = identityOf(process.pid);

  constructor(folder: string) {
    this.#folder = folder;
    makeFolders(folder);
  }

  /** Before the process starts, its mark is known but its pid is not. */
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
      // Another process has removed it.
    }
  }

  /** Records of servers that died. Those from before the last boot are removed: their processes are gone. */
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

/** Undefined if the file does not exist. */
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
