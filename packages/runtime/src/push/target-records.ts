import type { Store } from '@holdword/store';
import { targetKey, type PushTarget } from './push-target.ts';

const TARGETS = 'push-targets';
const SIGNALS = 'push-signals';
const REPLAY = 'replay';

/** A target as it was read, with the text that shows later whether it has changed since. */
export interface StoredTarget {
  target: PushTarget;
  value: string;
}

type TargetName = Pick<PushTarget, 'taskId' | 'configId'>;

/** Push targets in the store's records. Every change is compared with the text that was read, so that none is lost. */
export class TargetRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(name: TargetName): Promise<StoredTarget | undefined> {
    const value = await this.#store.getRecord(TARGETS, targetKey(name));
    return value === undefined ? undefined : decode(value);
  }

  /** Those of one task, or all, sorted by key. */
  async list(taskId?: string): Promise<StoredTarget[]> {
    const records = await this.#store.listRecords(TARGETS, taskId === undefined ? undefined : `${taskId}/`);
    return records.map(({ value }) => decode(value));
  }

  /** Writes the target if it is unchanged since it was read; `undefined` means that it did not exist. */
  async replace(expected: StoredTarget | undefined, target: PushTarget): Promise<StoredTarget | undefined> {
    const value = JSON.stringify(target);
    const done = await this.#store.replaceRecord(TARGETS, targetKey(target), expected?.value, value);
    return done ? { target, value } : undefined;
  }

  async remove(name: TargetName): Promise<void> {
    await this.#store.deleteRecord(TARGETS, targetKey(name));
  }

  /** Tells running servers, including other processes, that targets have changed. */
  async announceChange(): Promise<void> {
    await this.#store.putRecord(SIGNALS, REPLAY, crypto.randomUUID());
  }

  /** Differs after each announcement. */
  async lastAnnouncement(): Promise<string | undefined> {
    return this.#store.getRecord(SIGNALS, REPLAY);
  }
}

function decode(value: string): StoredTarget {
  return { target: JSON.parse(value) as PushTarget, value };
}
