import { backoffDelay, errorCode, hasErrorCode, pause } from '@holdword/protocol/internal';
import { diskFull, unavailable } from '../rejections.ts';
import { isStoreError, StoreError } from '../store-error.ts';

/**
 * What a failure means for the statement. `lost`: the connection is gone, and the statement may or may not have been
 * committed. `retry`: nothing was committed, and a retry may succeed. `rejected`: nothing was committed because PostgreSQL
 * does not accept the data. `failed`: nothing was committed, and an operator has to intervene.
 */
export type FailureKind = 'lost' | 'retry' | 'rejected' | 'failed';

const SQL_STATE = /^[0-9A-Z]{5}$/;

const KIND_BY_STATE: Readonly<Record<string, FailureKind>> = {
  '25006': 'lost', // read-only: the server became a standby
  '40001': 'retry', // serialization failure
  '40P01': 'retry', // deadlock
  '53300': 'lost', // too many connections
  '55P03': 'retry', // lock timeout
  '57014': 'retry', // statement timeout
  '57P01': 'lost', // the server is shutting down
  '57P02': 'lost', // the server has crashed
  '57P03': 'lost', // the server is starting
  '57P05': 'lost', // idle session timeout
};

const KIND_BY_CLASS: Readonly<Record<string, FailureKind>> = {
  '08': 'lost', // connection
  '22': 'rejected', // data
  '23': 'rejected', // constraint
  '54': 'rejected', // a limit of the server, such as the length of an index entry
};

/** States that a retry does not resolve: the configuration has to change. */
const MISCONFIGURED: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL rejected the user; check the user in the database URL',
  '28P01': 'PostgreSQL rejected the password; check it in the database URL',
  '3D000': 'the database in the URL does not exist; create it or use a different one',
  '42501': 'the database user lacks a privilege; grant it or use a different user',
};

const TOO_MANY_CONNECTIONS =
  'PostgreSQL accepts no more connections for this user or at all; a Holdword process uses up to 11, so raise ' +
  'max_connections or the CONNECTION LIMIT of the role or the database, or stop other clients';

/** PostgreSQL's five-character error code (SQLSTATE). Connection failures have none. */
function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && SQL_STATE.test(code) ? code : undefined;
}

export function failureKind(error: unknown): FailureKind {
  const state = sqlState(error);
  if (state === undefined) return isStoreError(error) ? 'failed' : 'lost';
  return KIND_BY_STATE[state] ?? KIND_BY_CLASS[state.slice(0, 2)] ?? 'failed';
}

export function isMisconfigured(error: unknown): boolean {
  return sqlState(error) !== undefined && Object.hasOwn(MISCONFIGURED, sqlState(error) ?? '');
}

/** PostgreSQL's own messages may contain data and host names, so they stay in `cause`. */
export function storeErrorFromPostgres(error: unknown): StoreError {
  if (isStoreError(error)) return error;
  const state = sqlState(error) ?? '';
  const advice = MISCONFIGURED[state];
  if (advice !== undefined) return unavailable(advice, error);
  if (state === '53100')
    return diskFull(error, 'the disk of the database server is full; free some space and try again');
  if (state === '53300') return unavailable(TOO_MANY_CONNECTIONS, error);
  if (failureKind(error) === 'rejected') {
    return new StoreError(
      'invalid-entry',
      `PostgreSQL rejected the data (SQLSTATE ${state}); shorten the IDs and keys in it.`,
      { cause: error },
    );
  }
  if (failureKind(error) === 'failed') {
    return unavailable(
      `a PostgreSQL statement failed (SQLSTATE ${state}); see the log of the database server`,
      error,
    );
  }
  return serverUnresponsive(error);
}

function serverUnresponsive(cause?: unknown): StoreError {
  if (hasErrorCode(cause, 'ENOTFOUND', 'EAI_AGAIN')) {
    return unavailable('the host name in the database URL cannot be resolved; check its spelling', cause);
  }
  return unavailable('PostgreSQL does not respond; check that it is running and reachable', cause);
}

const RETRIES = { firstMilliseconds: 50, longestMilliseconds: 2000 };

/** Waits after a failure. Replicas that lost the server together do not reconnect together. The signal ends the wait. */
export function pauseBeforeRetry(failuresBefore: number, signal?: AbortSignal): Promise<void> {
  return pause(backoffDelay(failuresBefore, RETRIES), signal);
}
