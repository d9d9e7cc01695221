import { unavailable } from '../refusals.ts';
import { isStoreError, StoreError } from '../store-error.ts';

/**
 * What a failure says about the statement that met it. `lost`: the connection is gone and what it was doing may or may not
 * have been committed. `retry`: nothing was committed and the same may go well the next time. `refused`: nothing was
 * committed because PostgreSQL does not take this data. `failed`: nothing was committed, and somebody has to look.
 */
export type FailureKind = 'lost' | 'retry' | 'refused' | 'failed';

const SQL_STATE = /^[0-9A-Z]{5}$/;

const KIND_BY_STATE: Readonly<Record<string, FailureKind>> = {
  '25006': 'lost', // read-only: the server became a standby
  '40001': 'retry', // serialization failure
  '40P01': 'retry', // deadlock
  '53300': 'lost', // too many connections
  '55P03': 'retry', // lock timeout
  '57014': 'retry', // statement timeout
  '57P01': 'lost', // the server is stopped
  '57P02': 'lost', // the server has crashed
  '57P03': 'lost', // the server is starting
  '57P05': 'lost', // idle for too long
};

const KIND_BY_CLASS: Readonly<Record<string, FailureKind>> = {
  '08': 'lost', // connection
  '22': 'refused', // data
  '23': 'refused', // constraint
  '54': 'refused', // a limit of the server, such as the length of an index entry
};

/** The states that no waiting cures: somebody has to change the configuration. */
const MISCONFIGURED: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL does not let this user in; check the user in the database URL',
  '28P01': 'PostgreSQL does not accept the password; check it in the database URL',
  '3D000': 'the database of the URL does not exist; create it or name another one',
  '42501': 'the user of the database URL may not do this; grant it what it needs or name another one',
};

/** The five characters by which PostgreSQL names an error. Failures of the connection itself have none. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return SQL_STATE.test(error.code) ? error.code : undefined;
}

export function failureKind(error: unknown): FailureKind {
  const state = sqlState(error);
  if (state === undefined) return isStoreError(error) ? 'failed' : 'lost';
  return KIND_BY_STATE[state] ?? KIND_BY_CLASS[state.slice(0, 2)] ?? 'failed';
}

export function isMisconfigured(error: unknown): boolean {
  return sqlState(error) !== undefined && Object.hasOwn(MISCONFIGURED, sqlState(error) ?? '');
}

/** PostgreSQL's own messages may quote data and name hosts, so they stay in `cause`. */
export function storeErrorFromPostgres(error: unknown): StoreError {
  if (isStoreError(error)) return error;
  const state = sqlState(error) ?? '';
  const advice = MISCONFIGURED[state];
  if (advice !== undefined) return unavailable(advice, error);
  if (state === '53100') {
    return unavailable('the disk of the database is full; free some space and try again', error);
  }
  if (failureKind(error) === 'refused') {
    return new StoreError(
      'invalid-entry',
      `Expected data that PostgreSQL takes, found some that it refuses (${state}); shorten its names.`,
      { cause: error },
    );
  }
  if (failureKind(error) === 'failed') {
    return unavailable(`PostgreSQL refused a statement (${state}); look at its log`, error);
  }
  return serverSilent(error);
}

export function serverSilent(cause?: unknown): StoreError {
  return unavailable('PostgreSQL does not answer; check that it runs and can be reached', cause);
}
