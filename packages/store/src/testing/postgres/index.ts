export { startCuttingProxy, type CuttingProxy } from './cutting-proxy.ts';
export { startPostgres, type StartPostgresOptions, type TestPostgres } from './start-postgres.ts';
export { usePostgres } from './use-postgres.ts';
