import { hasErrorCode, isObject } from '@holdword/protocol/internal';
import { readFile } from 'node:fs/promises';
import { RecordTable } from '../memory/record-table.ts';
import { corrupt, newerVersion, unavailable } from '../rejections.ts';
import { replaceFile, Serial } from './replace-file.ts';

const VERSION = 1;
const NAME = 'records.json';

type StoredRecord = [namespace: string, key: string, value: string];

/** The records, stored in one small file that every change replaces. */
export class RecordsFile {
  readonly #path: string;
  readonly #serial = new Serial();
  #table: RecordTable;

  private constructor(path: string, table: RecordTable) {
    this.#path = path;
    this.#table = table;
  }

  static async open(path: string): Promise<RecordsFile> {
    const table = new RecordTable();
    for (const [namespace, key, value] of await readRecords(path)) table.put(namespace, key, value);
    return new RecordsFile(path, table);
  }

  /** The records on disk, for reading. */
  get committed(): RecordTable {
    return this.#table;
  }

  /** Resolves when the change is on disk; until then readers see the previous records (J1). */
  change<Result>(change: (table: RecordTable) => Result): Promise<Result> {
    return this.#serial.run(async () => {
      const next = this.#table.copy();
      const result = change(next);
      const content = JSON.stringify({ version: VERSION, records: next.entries() });
      try {
        await replaceFile(this.#path, content);
      } catch (error) {
        throw unavailable(`cannot write ${NAME}; check the disk and the permissions`, error);
      }
      this.#table = next;
      return result;
    });
  }

  close(): Promise<void> {
    return this.#serial.idle();
  }
}

async function readRecords(path: string): Promise<StoredRecord[]> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw unavailable(`cannot read ${NAME}; check the permissions`, error);
  }
  const value = parse(content);
  if (!isObject(value) || !('version' in value) || !('records' in value)) {
    throw corrupt(NAME, 'it does not contain records');
  }
  const { version, records } = value;
  if (typeof version === 'number' && version > VERSION) throw newerVersion(NAME, version, VERSION);
  if (!Array.isArray(records) || !records.every(isStoredRecord))
    throw corrupt(NAME, 'it contains an invalid record');
  return records;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw corrupt(NAME, 'it is not JSON', error);
  }
}

function isStoredRecord(value: unknown): value is StoredRecord {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'string');
}
