import type { Store } from '@parley/store';
import type { PluginLogger } from '../host/plugin-api.ts';

export interface StateStoreOptions {
  /** Nothing is kept without one. */
  readonly folder?: string | undefined;
  readonly logger?: PluginLogger | undefined;
}

/**
 * Small records that outlive the process.
 *
 * Responsible for never being in the way: it is opened when it is first needed, writes happen behind the calls that
 * cause them, and when it cannot be used that is logged once and everything goes on in memory. Several processes of the
 * host may have it open.
 */
export class StateStore {
  readonly #options: StateStoreOptions;
  readonly #writes = new Set<Promise<unknown>>();
  #store: Promise<Store | undefined> | undefined;
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
    this.#behind((store) => store.putRecord(namespace, key, value));
  }

  remove(namespace: string, key: string): void {
    this.#behind((store) => store.deleteRecord(namespace, key));
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes);
    this.#closed = true;
    const store = await this.#store;
    await store?.close();
  }

  #behind(write: (store: Store) => Promise<unknown>): void {
    const done: Promise<unknown> = this.#use(write).finally(() => this.#writes.delete(done));
    this.#writes.add(done);
  }

  async #use<Value>(run: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    if (this.#closed) return undefined;
    try {
      const store = await (this.#store ??= this.#open());
      return store && (await run(store));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #open(): Promise<Store | undefined> {
    const { folder } = this.#options;
    if (folder === undefined) return undefined;
    try {
      // Loaded when it is needed: it starts a thread.
      const { openSqliteStore } = await import('@parley/store/sqlite');
      return await openSqliteStore({ folder, shared: true });
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
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
