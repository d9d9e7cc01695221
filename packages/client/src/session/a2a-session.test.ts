import { expect, test } from 'vitest';
import { messageParts } from './a2a-session.ts';

test('a text becomes one part', () => {
  expect(messageParts('hello')).toEqual([{ text: 'hello' }]);
});

test('accepts parts of 1.0 and 0.3', () => {
  expect(
    messageParts([
      { text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'data', data: [1] },
      { kind: 'file', file: { bytes: 'aGk', name: 'a.txt', mimeType: 'text/plain' } },
      { url: 'https://a.example/b', mediaType: 'image/png' },
    ]),
  ).toEqual([
    { text: 'a' },
    { text: 'b' },
    { data: [1] },
    { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://a.example/b', mediaType: 'image/png' },
  ]);
});

test.each([
  [[], 'expected an array of at least 1 element'],
  [[{ kind: 'file', file: { bytes: 'not base64!' } } as const], '[0].raw: expected base64'],
  [[{}], '[0]: expected exactly one of text, raw, url and data'],
])('%j is rejected before anything is sent', (parts, message) => {
  expect(() => messageParts(parts)).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(message) as string,
    }),
  );
});
