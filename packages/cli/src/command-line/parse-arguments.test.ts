import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { parseArguments, parseDuration, parseLongDuration } from './parse-arguments.ts';

const COMMAND: Command = {
  name: 'keys add',
  summary: 'Create a key.',
  operands: ['NAME'],
  options: {
    data: { value: 'DIR', description: 'folder' },
    'grpc-port': { value: 'N', description: 'port' },
    tag: { value: 'TEXT', description: 'tag', repeatable: true },
    loud: { description: 'loud' },
    console: { description: 'console', negatable: true },
  },
  examples: [],
  page: 'guides/authentication.md',
  run: () => Promise.resolve(0),
};

test('options come before or after operands, with or without an equals sign', () => {
  expect(parseArguments(COMMAND, ['--data', 'x', 'laptop', '--grpc-port=-1'])).toEqual({
    operands: ['laptop'],
    options: { data: 'x', 'grpc-port': '-1' },
    repeated: {},
    given: [
      { name: 'data', value: 'x' },
      { name: undefined, value: 'laptop' },
      { name: 'grpc-port', value: '-1' },
    ],
    helpWanted: false,
  });
});

test('the last value of an option counts, and all values of a repeatable one', () => {
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

test.each([
  [['--console'], { console: 'true' }],
  [['--console=true'], { console: 'true' }],
  [['--no-console'], { console: 'false' }],
  [['--console=false'], { console: 'false' }],
  [['--no-console', '--console'], { console: 'true' }],
  // What is off unless it is given needs no value to be off.
  [['--loud', '--no-loud'], {}],
  [['--loud=false'], {}],
])('%j turns a switch on or off; the last one counts', (words, options) => {
  expect(parseArguments(COMMAND, ['laptop', ...words]).options).toEqual(options);
});

test('an option whose name begins with no- is that option', () => {
  const command = { ...COMMAND, options: { 'no-console': { description: 'its own' }, ...COMMAND.options } };
  expect(parseArguments(command, ['laptop', '--no-console']).options).toEqual({ 'no-console': 'true' });
});

test('help can be asked for without the operands', () => {
  expect(parseArguments(COMMAND, ['-h']).helpWanted).toBe(true);
});

test.each([
  [
    ['laptop', '--dta', 'x'],
    'Unknown option --dta. Did you mean --data? Run "holdword help keys add" for the options.',
  ],
  [['laptop', '--grpcport=1'], 'Did you mean --grpc-port?'],
  [['laptop', '-x'], 'Unknown option -x.'],
  [['laptop', '--data'], '--data needs a value: --data DIR'],
  [['laptop', '--data', '--grpc-port', '1'], '--data needs a value'],
  [
    ['laptop', '--loud=very'],
    '--loud: expected true or false, found "very". Turn it on with --loud, and off with --no-loud.',
  ],
  [
    ['laptop', '--console', 'off'],
    'Unexpected argument: off. --console takes no value: turn it on with --console, and off with --no-console.',
  ],
  [['laptop', '--no-console=1'], '--no-console takes no value.'],
  [['laptop', '--no-data'], 'Unknown option --no-data.'],
  [['laptop', '--no-consol'], 'Did you mean --no-console?'],
  [[], 'Missing argument NAME. Usage: holdword keys add NAME [options]'],
  [['one', 'two'], 'Unexpected argument: two. Usage: holdword keys add NAME [options]'],
])('%j is rejected', (words, message) => {
  expect(() => parseArguments(COMMAND, words)).toThrow(message);
});

describe('a duration', () => {
  test.each([
    ['45s', 45_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text, '--expires')).toBe(milliseconds);
  });

  test.each(['', 'd', '-1d', '1.5h', '1w', '5 s'])('"%s" is refused', (text) => {
    expect(() => parseDuration(text, '--expires')).toThrow('--expires: expected a duration such as 90d');
  });

  test('without a unit is a number of seconds', () => {
    expect(parseDuration('90', '--timeout')).toBe(90_000);
    expect(() => parseLongDuration('90', '--expires')).toThrow(
      '--expires: expected a duration with its unit, such as 90d or 12h, found "90".',
    );
    expect(parseLongDuration('90d', '--expires')).toBe(90 * 86_400_000);
    expect(parseDuration('500ms', '--timeout')).toBe(500);
  });

  test('that is too long is refused as such', () => {
    expect(() => parseDuration('99999999d', '--expires')).toThrow(
      '--expires: expected at most 999999d, found "99999999d".',
    );
  });
});
