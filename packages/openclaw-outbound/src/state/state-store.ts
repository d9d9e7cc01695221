import { openSqliteStore, type Store } from '@holdword/store';
import type { z } from 'zod';
import type { PluginLogger } from '../plugin-api.ts';

export interface StateStoreOptions {
  /** Without a folder, nothing is stored. */
  readonly folder?: string | undefined;
  readonly logger?: PluginLogger | undefined;
  /** How long the database stays open while unused. @default 5000 */
  readonly idleMilliseconds?: number;
}

/**
 * Small durable records.
 *
 * Responsible for never blocking a call: the database is opened on demand and closed when idle, so that a finished process
 * can exit; writes happen in the background; and if it cannot be used, a warning is logged once and everything continues in
 * memory. Several host processes may have it open.
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

  /** Whether records survive a restart; false once the database has failed. */
  get isDurable(): boolean {
    return this.#options.folder !== undefined && !this.#failed;
  }

  async read(namespace: string, key: string): Promise<string | undefined> {
    return this.#use((store) => store.getRecord(namespace, key));
  }

  async list(namespace: string): Promise<{ key: string; value: string }[]> {
    return (await this.#use((store) => store.listRecords(namespace))) ?? [];
  }

  /** Returns the stored record, or stores this one for all processes. */
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

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
    this.#closed = true;
    await this.#closeStore();
  }

  /** Resolves to undefined if there is no folder or the database cannot be used. */
  #use<Value>(run: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    if (this.#closed || this.#options.folder === undefined) return Promise.resolve(undefined);
    const done: Promise<Value | undefined> = this.#run(run).finally(() => {
      this.#running.delete(done);
      if (this.#running.size === 0) this.#closeWhenIdle();
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
      return await openSqliteStore({ folder, shared: true });
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#running.size === 0) void this.#closeStore();
    }, this.#options.idleMilliseconds ?? 5_000);
    this.#idle.unref();
  }

  async #closeStore(): Promise<void> {
    clearTimeout(this.#idle);
    // Cleared before awaiting, so that the next use opens the database again.
    const opened = this.#store;
    this.#store = undefined;
    const store = await opened;
    if (store !== undefined) await store.close();
    // A database that failed to open is not retried; the failure was logged.
    else this.#store ??= opened;
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.logger?.warn(
      `remote_agent could not store its state (${reason}). Task handles will be lost when the process exits; continuations still work.`,
    );
  }
}

/** Parses a stored record; undefined if it does not match, for example because a later version wrote it. */
export function readRecord<Value>(schema: z.ZodType<Value>, json: string | undefined): Value | undefined {
  if (json === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
