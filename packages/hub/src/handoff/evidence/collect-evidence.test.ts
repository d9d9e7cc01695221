import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestParts } from './collect-evidence.ts';

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

test('digests each kind of content', () => {
  const bytes = Buffer.from([0, 1, 2, 255]);
  expect(
    digestParts([
      { text: 'größer' },
      { raw: bytes.toString('base64'), mediaType: 'image/png' },
      { data: { b: 1, a: [true, null] } },
      { url: 'https://files.example/a' },
    ]),
  ).toEqual([
    { kind: 'text', media_type: null, bytes: 8, sha256: sha256('größer') },
    { kind: 'raw', media_type: 'image/png', bytes: 4, sha256: sha256(bytes) },
    { kind: 'data', media_type: null, bytes: 23, sha256: sha256('{"a":[true,null],"b":1}') },
    { kind: 'url', media_type: null, bytes: 23, sha256: sha256('https://files.example/a') },
  ]);
});

test('the digest of data does not depend on key order', () => {
  const [left, right] = [digestParts([{ data: { a: 1, b: 2 } }]), digestParts([{ data: { b: 2, a: 1 } }])];
  expect(left).toEqual(right);
});
