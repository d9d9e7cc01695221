import { expect, test } from 'vitest';
import { expandVariables } from './agent-entries.ts';

test('replaces variables anywhere in a value', () => {
  const headers = { Authorization: 'Bearer ${TOKEN}', Plain: '$TOKEN {TOKEN}', Two: '${TOKEN}-${OTHER}' };
  expect(expandVariables(headers, { TOKEN: 'secret\n', OTHER: 'x' })).toEqual({
    Authorization: 'Bearer secret',
    Plain: '$TOKEN {TOKEN}',
    Two: 'secret-x',
  });
});

test.each([
  ['is not set', {}],
  ['is empty', { TOKEN: '' }],
  ['has line breaks', { TOKEN: 'a\nb: c' }],
])('rejects a variable that %s, without showing its value', (_, environment) => {
  expect(() => expandVariables({ Authorization: 'Bearer ${TOKEN}' }, environment)).toThrow(
    /^The (header Authorization needs the environment variable TOKEN,|environment variable TOKEN cannot be used in the header Authorization:) [a-z ]+\.( Set it and restart\.)?$/,
  );
});

test('a value that looks like a variable is not expanded again', () => {
  expect(expandVariables({ A: '${X}' }, { X: '${Y}', Y: 'no' })).toEqual({ A: '${Y}' });
});
