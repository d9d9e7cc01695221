import { expect, test } from 'vitest';
import { partsOf } from './content.ts';

test('takes a text, a part or parts', () => {
  expect(partsOf('hello')).toEqual([{ text: 'hello' }]);
  expect(partsOf({ text: 'hello', mediaType: 'text/markdown' })).toEqual([
    { text: 'hello', mediaType: 'text/markdown' },
  ]);
  expect(partsOf([{ text: 'one' }, { data: null }])).toEqual([{ text: 'one' }, { data: null }]);
});

test('tells an agent that gives no part or a malformed one', () => {
  const refused = (message: RegExp): unknown =>
    expect.objectContaining({ code: 'executor-terminal', message: expect.stringMatching(message) as string });
  expect(() => partsOf([])).toThrow(refused(/at least one/) as Error);
  expect(() => partsOf({})).toThrow(refused(/exactly one of/) as Error);
  expect(() => partsOf([{ text: 'a', url: 'b' }])).toThrow(refused(/exactly one of/) as Error);
});
