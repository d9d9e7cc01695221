import { expect, test } from 'vitest';
import { partsOf } from './content.ts';

test('accepts a text, a part or several parts', () => {
  expect(partsOf('hello')).toEqual([{ text: 'hello' }]);
  expect(partsOf({ text: 'hello', mediaType: 'text/markdown' })).toEqual([
    { text: 'hello', mediaType: 'text/markdown' },
  ]);
  expect(partsOf([{ text: 'one' }, { data: null }])).toEqual([{ text: 'one' }, { data: null }]);
});

test.each([
  ['no part', [], /at least one/],
  ['an empty part', {}, /exactly one of/],
  ['a part with two contents', [{ text: 'a', url: 'b' }], /exactly one of/],
])("rejects an agent's content with %s", (_name, content, message) => {
  expect(() => partsOf(content)).toThrow(
    expect.objectContaining({ code: 'executor-terminal', message: expect.stringMatching(message) }),
  );
});
