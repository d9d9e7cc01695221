import type { Message, Part } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { turnInput } from './turn-input.ts';

function message(parts: Part[], more: Partial<Message> = {}): Message {
  return { messageId: 'm', role: 'ROLE_USER', parts, ...more };
}

test('text parts are joined with a blank line', () => {
  expect(turnInput(message([{ text: 'one' }, { text: ' ' }, { text: 'two' }]), {})).toEqual({
    text: 'one\n\ntwo',
    context: [],
    files: [],
  });
});

test('everything else is attached data, in canonical order', () => {
  const parts = [
    { text: 'look' },
    { data: { b: 1, a: ['x'] }, metadata: { origin: 'sensor' } },
    { url: 'http://10.0.0.1/secret', filename: 'f' },
  ];
  const input = turnInput(message(parts, { metadata: { priority: 'high' } }), { trace: 't' });
  expect(input?.text).toBe('look');
  expect(input?.context).toEqual([
    { label: 'Data in part 2', data: { a: ['x'], b: 1 } },
    { label: 'Metadata of part 2', data: { origin: 'sensor' } },
    { label: 'File in part 3', data: { filename: 'f', url: 'http://10.0.0.1/secret' } },
    { label: 'Metadata of the message', data: { priority: 'high' } },
    { label: 'Metadata of the request', data: { trace: 't' } },
  ]);
  expect(JSON.stringify(input?.context[0]?.data)).toBe('{"a":["x"],"b":1}');
});

test.each([
  ['data', { data: { a: 1 } }, '[User sent structured data]'],
  ['files', { raw: 'AA==' }, '[User sent files]'],
])('a message with only %s gets a placeholder', (_, part, text) => {
  expect(turnInput(message([part]), {})?.text).toBe(text);
});

test('a message with only metadata is empty', () => {
  expect(turnInput(message([{ text: '' }], { metadata: { a: 1 } }), { b: 2 })).toBeUndefined();
});
