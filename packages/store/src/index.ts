export * from './port.ts';
export { StoreError, isStoreError, type StoreErrorCode } from './store-error.ts';
