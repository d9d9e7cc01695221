import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { parseArguments } from './parse-arguments.ts';

const COMMAND: Command = {
  name: 'keys add',
  summary: 'Make a key.',
  operands: ['NAME'],
  options: {
    data: { value: 'DIR', description: 'folder' },
    'grpc-port': { value: 'N', description: 'port' },
    tag: { value: 'TEXT', description: 'tag', repeatable: true },
    loud: { description: 'loud' },
  },
  run: () => Promise.resolve(0),
};

test('options may stand before, after and with an equals sign', () => {
  expect(parseArguments(COMMAND, ['--data', 'x', 'laptop', '--grpc-port=-1'])).toEqual({
    operands: ['laptop'],
    options: { data: 'x', 'grpc-port': '-1' },
    repeated: {},
    helpWanted: false,
  });
});

test('the last value of an option counts, and all values of one that may be given several times', () => {
  const words = ['laptop', '--data', 'x', '--tag', 'a', '--data', 'y', '--tag=b'];
  expect(parseArguments(COMMAND, words)).toMatchObject({
    options: { data: 'y' },
    repeated: { tag: ['a', 'b'] },
  });
});

test('a switch takes no value', () => {
  const { operands, options } = parseArguments(COMMAND, ['--loud', 'laptop']);
  expect({ operands, options }).toEqual({ operands: ['laptop'], options: { loud: 'true' } });
});

test('help is wanted whatever else is missing', () => {
  expect(parseArguments(COMMAND, ['-h']).helpWanted).toBe(true);
});

test.each([
  [['laptop', '--dta', 'x'], 'keys add has no option --dta. Did you mean --data?'],
  [['laptop', '--grpcport=1'], 'Did you mean --grpc-port?'],
  [['laptop', '-x'], 'keys add has no option -x.'],
  [['laptop', '--data'], '--data needs a value: --data DIR'],
  [['laptop', '--data', '--grpc-port', '1'], '--data needs a value'],
  [['laptop', '--loud=very'], '--loud takes no value.'],
  [[], 'keys add needs NAME: holdword keys add NAME'],
  [['one', 'two'], 'keys add takes no further words, found: two.'],
])('%j is refused', (words, message) => {
  expect(() => parseArguments(COMMAND, words)).toThrow(message);
});
