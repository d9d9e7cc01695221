import { expect, test } from 'vitest';
import { partsOf } from './content.ts';

test('takes a text, a part or parts', () => {
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
])('tells an agent that gives %s', (_name, content, message) => {
  expect(() => partsOf(content)).toThrow(
    expect.objectContaining({ code: 'executor-terminal', message: expect.stringMatching(message) }),
  );
});
