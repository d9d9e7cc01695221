export * from './administration/administration.ts';
export { openMemoryStore } from './memory/open-memory-store.ts';
export * from './port.ts';
export { StoreError, isStoreError, type StoreErrorCode } from './store-error.ts';
