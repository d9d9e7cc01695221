import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from './start-postgres.ts';

const START_MILLISECONDS = 60_000;

/** One server for all tests of a file, stopped after them even if they fail. */
export function usePostgres(): () => TestPostgres {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, START_MILLISECONDS);
  afterAll(async () => {
    await postgres?.stop();
  }, START_MILLISECONDS);
  return () => {
    if (postgres === undefined) throw new Error('The server only runs during tests.');
    return postgres;
  };
}
