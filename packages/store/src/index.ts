/**
 * Durable storage for tasks: in memory, in JSON files, in SQLite or in PostgreSQL, behind one interface. A backend and its
 * libraries are loaded when a store is opened.
 */
export type { Administration, CheckResult, Finding, StoreStatus } from './administration.ts';
export type { Adopt, AdoptedTask } from './json-file/json-file-backend.ts';
export type { JsonFileStoreOptions } from './json-file/open-json-file-store.ts';
export { openMemoryStore } from './memory/open-memory-store.ts';
export {
  administerPostgres,
  administerSqlite,
  backupSqlite,
  openJsonFileStore,
  openPostgresStore,
  openSqliteStore,
} from './open-stores.ts';
export type {
  AllTasksPage,
  AllTasksQuery,
  CommitListener,
  CommittedEvent,
  CreateTaskResult,
  EndedPage,
  EndedQuery,
  ExcessCursor,
  ExcessQuery,
  HolderState,
  IdempotencyEntry,
  JournalAppend,
  JournalEntry,
  NewTask,
  OwnerUsage,
  PageCursor,
  RecordEntry,
  RecordPage,
  Retention,
  Snapshot,
  StatusChange,
  Store,
  TaskHeader,
  TaskHeaderPage,
  TaskQuery,
} from './port.ts';
export type { PostgresStoreLog, PostgresStoreOptions } from './postgres/open-postgres-store.ts';
export type { SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';
