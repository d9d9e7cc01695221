import type { Store } from '@holdword/store';
import type { PluginLogger } from '../host/plugin-api.ts';

export interface StateStoreOptions {
  /** Nothing is kept without one. */
  readonly folder?: string | undefined;
  readonly logger?: PluginLogger | undefined;
  /** How long the file stays open without being used, in milliseconds (default: 5 seconds). */
  readonly idleMilliseconds?: number;
}

/**
 * Small records that outlive the process.
 *
 * Responsible for never being in the way: the file is opened when it is needed and closed when it is not, so that a
 * process whose work is done can end; writes happen behind the calls that cause them; and when it cannot be used, that is
 * logged once and everything goes on in memory. Several processes of the host may have it open.
 */
export class StateStore {
  readonly #options: StateStoreOptions;
  readonly #running = new Set<Promise<unknown>>();
  #store: Promise<Store | undefined> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #failed = false;
  #closed = false;

  constructor(options: StateStoreOptions) {
    this.#options = options;
  }

  /** Whether what is written is there after a restart, as far as is known. */
  get isDurable(): boolean {
    return this.#options.folder !== undefined && !this.#failed;
  }

  async read(namespace: string, key: string): Promise<string | undefined> {
    return this.#use((store) => store.getRecord(namespace, key));
  }

  async list(namespace: string): Promise<{ key: string; value: string }[]> {
    return (await this.#use((store) => store.listRecords(namespace))) ?? [];
  }

  /** The record that is there, or else this one, which is then there for all processes. */
  async readOrCreate(namespace: string, key: string, value: string): Promise<string> {
    const kept = await this.#use(async (store) => {
      const found = await store.getRecord(namespace, key);
      if (found !== undefined) return found;
      const created = await store.replaceRecord(namespace, key, undefined, value);
      return created ? value : store.getRecord(namespace, key);
    });
    return kept ?? value;
  }

  write(namespace: string, key: string, value: string): void {
    void this.#use((store) => store.putRecord(namespace, key, value));
  }

  remove(namespace: string, key: string): void {
    void this.#use((store) => store.deleteRecord(namespace, key));
  }

  /** Waits for everything that is to be written. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
    this.#closed = true;
    await this.#letGo();
  }

  /** Undefined when there is no file, or it cannot be used. */
  #use<Value>(run: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    if (this.#closed || this.#options.folder === undefined) return Promise.resolve(undefined);
    const done: Promise<Value | undefined> = this.#run(run).finally(() => {
      this.#running.delete(done);
      if (this.#running.size === 0) this.#waitForMore();
    });
    this.#running.add(done);
    return done;
  }

  async #run<Value>(run: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    try {
      const store = await (this.#store ??= this.#open(this.#options.folder ?? ''));
      return store && (await run(store));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #open(folder: string): Promise<Store | undefined> {
    try {
      const { openSqliteStore } = await import('@holdword/store/sqlite');
      return await openSqliteStore({ folder, shared: true });
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #waitForMore(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#running.size === 0) void this.#letGo();
    }, this.#options.idleMilliseconds ?? 5_000);
    this.#idle.unref();
  }

  async #letGo(): Promise<void> {
    clearTimeout(this.#idle);
    // Taken away before anything is waited for: whoever comes next opens it anew.
    const opened = this.#store;
    this.#store = undefined;
    const store = await opened;
    if (store !== undefined) await store.close();
    // One that could not be opened is not tried again: the log has said so.
    else this.#store ??= opened;
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.logger?.warn(
      `remote_agent cannot keep its state (${reason}). Task handles are lost when the process ends; continuations still work.`,
    );
  }
}
