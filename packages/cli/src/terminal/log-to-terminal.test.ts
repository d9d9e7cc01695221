import { expect, test } from 'vitest';
import { logToTerminal } from './log-to-terminal.ts';

function collect(level: Parameters<typeof logToTerminal>[1]) {
  const lines: string[] = [];
  const log = logToTerminal(
    { error: (text) => void lines.push(text), style: (_format, text) => text },
    level,
  );
  return { log, lines };
}

test('a line has the time, the level, the message and the fields', () => {
  const { log, lines } = collect('warn');
  log.warn('Slow disk.', { milliseconds: 12, task: 'a1', reason: 'two words' });
  expect(lines).toEqual([
    expect.stringMatching(/^\d{4}-\S+Z warn Slow disk\. milliseconds=12 task=a1 reason="two words"\n$/),
  ]);
});

test('entries below the level are left out', () => {
  const { log, lines } = collect('error');
  log.info('x');
  log.warn('x');
  log.error('broken');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('error broken');
});
