import { expect, test } from 'vitest';
import { decodePageToken, encodePageToken } from './page-token.ts';

test('a token leads back to its position and reveals nothing', () => {
  const cursor = { statusTime: 1_700_000_000_000, tieBreak: 42 };
  const token = encodePageToken(cursor);
  expect(token).toMatch(/^[\w-]+$/);
  expect(decodePageToken(token)).toEqual(cursor);
});

test.each([
  '',
  'x',
  'bm9wZQ',
  '!!!',
  encode('null'),
  encode('{}'),
  encode('[1]'),
  encode('["1",2]'),
  encode('[1,2.5]'),
  encode('[1,1e300]'),
])('any other token is rejected with the field: %s', (token) => {
  expect(() => decodePageToken(token)).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      fields: [expect.objectContaining({ field: 'pageToken' })],
    }),
  );
});

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
