import { expect, test } from 'vitest';
import { isBase64 } from './base64.ts';

test.each(['', 'aGk=', 'aGk', 'a-_/', 'aGVs\r\nbG8='])('%j is Base64', (text) => {
  expect(isBase64(text)).toBe(true);
});

test.each(['hello world!', 'aGk=aGk=', 'a', 'aGk===', 'データ'])('%j is not Base64', (text) => {
  expect(isBase64(text)).toBe(false);
});
