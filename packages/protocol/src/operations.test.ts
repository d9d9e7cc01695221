import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainSend, sendMessageRequestSchema } from './operations.ts';

const PLAIN = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };

test('accepts a message with plain text', () => {
  expect(isPlainSend(PLAIN)).toBe(true);
  expect(isPlainSend({ message: { ...PLAIN.message, contextId: 'c-1', taskId: 't-1' } })).toBe(true);
});

test.each([
  ['a configuration', { ...PLAIN, configuration: {} }],
  ['an empty id that the schema drops', { message: { ...PLAIN.message, taskId: '' } }],
  ['a field that the schema drops', { message: { ...PLAIN.message, kind: 'message' } }],
  [
    'a part that says more',
    { message: { ...PLAIN.message, parts: [{ text: 'a', mediaType: 'text/plain' }] } },
  ],
  ['an id that is too long', { message: { ...PLAIN.message, contextId: 'c'.repeat(257) } }],
  ['no parts', { message: { ...PLAIN.message, parts: [] } }],
  ['null', null],
])('leaves %s to the schema', (_, request) => {
  expect(isPlainSend(request)).toBe(false);
});

test('accepts nothing that the schema would reject or change', () => {
  const plain = fc.record(
    {
      messageId: mostly(fc.string({ minLength: 1 })),
      contextId: mostly(fc.string()),
      taskId: mostly(fc.string()),
      role: mostly(fc.constantFrom('ROLE_USER', 'ROLE_AGENT')),
      parts: mostly(fc.array(mostly(fc.record({ text: fc.string() })), { maxLength: 3 })),
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  );
  const message = mostly(plain);
  let accepted = 0;
  fc.assert(
    fc.property(fc.record({ message }), (request) => {
      if (!isPlainSend(request)) return;
      accepted += 1;
      expect(sendMessageRequestSchema.parse(structuredClone(request))).toEqual(request);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

function mostly<Value>(usual: fc.Arbitrary<Value>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: usual, weight: 8 }, { arbitrary: fc.jsonValue(), weight: 1 });
}
