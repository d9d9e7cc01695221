import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from './command-line.ts';

const BENCHES = ['send', 'stream'];

describe('readCommandLine', () => {
  it('reads every option', () => {
    const words = 'stream --rounds 2 --seconds 0.5 --data folder --plot run.svg --quick --json'.split(' ');
    expect(readCommandLine(words, BENCHES)).toEqual({
      bench: 'stream',
      rounds: 2,
      seconds: 0.5,
      plotFile: 'run.svg',
      dataFolder: 'folder',
      quick: true,
      json: true,
    });
  });

  it('omits missing options', () => {
    expect(readCommandLine(['send'], BENCHES)).toEqual({
      bench: 'send',
      rounds: undefined,
      seconds: undefined,
      plotFile: undefined,
      dataFolder: tmpdir(),
      quick: false,
      json: false,
    });
    expect(readCommandLine(['--help'], BENCHES)).toBe('help');
  });

  it.each([
    [[], 'Unknown bench ""; use one of send, stream'],
    [['sned'], 'Unknown bench "sned"'],
    [['send', 'stream'], 'Unknown bench "send stream"'],
    [['send', '--rounds', 'many'], '--rounds must be a number above 0, found "many"'],
    [['send', '--seconds', '0'], '--seconds must be'],
    [['send', '--fast'], '--fast'],
  ])('rejects %j', (words, message) => {
    expect(() => readCommandLine(words, BENCHES)).toThrow(message);
  });
});
