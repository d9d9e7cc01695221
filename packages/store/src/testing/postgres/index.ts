export { startPostgres, type StartPostgresOptions, type TestPostgres } from './start-postgres.ts';
export { usePostgres } from './use-postgres.ts';
