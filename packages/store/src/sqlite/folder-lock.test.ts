import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { unavailable } from '../rejections.ts';
import { lockFailure, lockFolder } from './folder-lock.ts';

/** What SQLite throws when it cannot write another page. */
function thrownBySqliteWhenFull(): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('PRAGMA max_page_count = 1; CREATE TABLE t (a); CREATE TABLE u (a)');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('Expected SQLite to refuse the second page.');
}

test('a folder is locked once, until it is released', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow('in use by another Holdword process');
  lock.release();
  (await lockFolder(folder)).release();
});

test('a full disk is named, not the permissions', () => {
  expect(lockFailure(thrownBySqliteWhenFull()).message).toBe(
    'The store is unavailable: the disk is full; free some space and try again.',
  );
});

test.each([
  ['ENOSPC', 'the disk is full; free some space and try again'],
  ['EDQUOT', 'the disk quota of the user is used up; free some space and try again'],
  ['EROFS', 'the disk is read-only; use a different data folder'],
  ['EACCES', 'the data folder cannot be locked; check its permissions'],
])('what the operating system says with %s is passed on', (code, reason) => {
  const failure = lockFailure(Object.assign(new Error(code), { code }));
  expect(failure).toMatchObject({ code: 'unavailable', message: `The store is unavailable: ${reason}.` });
});

test('every part of the store names a full disk', () => {
  const cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(unavailable('the data folder cannot be created; check the permissions', cause).message).toContain(
    'the disk is full',
  );
});
