export { startPostgres, type TestPostgres } from './start-postgres.ts';
export { usePostgres } from './use-postgres.ts';
