import { expect, test } from 'vitest';
import { decodeOperation } from './operations.ts';

const PLAIN = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };

test('a message with plain text is decoded as it was sent', () => {
  expect(decodeOperation('sendMessage', PLAIN)).toEqual({ operation: 'sendMessage', request: PLAIN });
});

test('empty ids and unknown fields are dropped', () => {
  const { request } = decodeOperation('sendMessage', {
    message: { ...PLAIN.message, taskId: '', kind: 'message' },
  });
  expect(request).toEqual(PLAIN);
});

test.each([
  ['no parts', { message: { ...PLAIN.message, parts: [] } }],
  ['null', null],
])('%s is rejected', (_, request) => {
  expect(() => decodeOperation('sendMessage', request)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS' }),
  );
});
