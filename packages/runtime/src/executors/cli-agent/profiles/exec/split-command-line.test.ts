import { expect, test } from 'vitest';
import { splitCommandLine } from './split-command-line.ts';

test.each([
  ['summarise --short', ['summarise', '--short']],
  ['  many   blanks\t here ', ['many', 'blanks', 'here']],
  [`say 'one word' "another word"`, ['say', 'one word', 'another word']],
  [`glued" to "gether`, ['glued to gether']],
  [`'' ""`, ['', '']],
  [String.raw`a\ b "c\"d\\" 'e\f' "g\n"`, ['a b', 'c"d\\', String.raw`e\f`, String.raw`g\n`]],
  ['echo $HOME *.txt | cat; rm', ['echo', '$HOME', '*.txt', '|', 'cat;', 'rm']],
  ['', []],
])('%s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test('an unclosed quote is an error', () => {
  expect(() => splitCommandLine('say "hello')).toThrow('Missing closing " in the command');
});
