import { expect, it } from 'vitest';
import { errorCode, hasErrorCode } from './error-code.ts';

const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });

it('is the code of an error that has one', () => {
  expect(errorCode(missing)).toBe('ENOENT');
  expect(errorCode(new Error('plain'))).toBeUndefined();
  expect(errorCode(Object.assign(new Error('numbered'), { code: 5 }))).toBeUndefined();
  expect(errorCode({ code: 'ENOENT' })).toBeUndefined();
  expect(errorCode(undefined)).toBeUndefined();
});

it('is compared with one or several codes', () => {
  expect(hasErrorCode(missing, 'ENOENT')).toBe(true);
  expect(hasErrorCode(missing, 'EACCES', 'ENOENT')).toBe(true);
  expect(hasErrorCode(missing, 'EACCES')).toBe(false);
  expect(hasErrorCode('ENOENT', 'ENOENT')).toBe(false);
});
