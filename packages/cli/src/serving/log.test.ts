import { expect, test } from 'vitest';
import type { LogLevel } from '../config/config-schema.ts';
import { NO_TERMINAL } from '../testing/test-config.ts';
import { openLog } from './log.ts';

function collect(level: LogLevel, format: 'text' | 'json') {
  const lines: string[] = [];
  const terminal = { ...NO_TERMINAL, error: (text: string) => void lines.push(text) };
  return { log: openLog(terminal, level, format), lines };
}

test('as text, a line has the time, the level, the message and the fields', () => {
  const { log, lines } = collect('warn', 'text');
  log.warn('Slow disk.', { milliseconds: 12, task: 'a1', reason: 'two words' });
  expect(lines).toEqual([
    expect.stringMatching(/^\d{4}-\S+Z warn Slow disk\. milliseconds=12 task=a1 reason="two words"\n$/),
  ]);
});

test('as text, a field that others have chosen cannot control the terminal', () => {
  const { log, lines } = collect('warn', 'text');
  log.warn('Refused.', { caller: 'jwt:\u001b[2Ja\u009bb' });
  expect(lines).toEqual([expect.stringMatching(/ caller="jwt:\\u001b\[2Ja\?b"\n$/)]);
});

test('as JSON, an entry is one object on one line', () => {
  const { log, lines } = collect('warn', 'json');
  log.info('Resuming a task.', { taskId: 't-1' });
  log.warn('A snapshot was not saved.', { taskId: 't-1' });
  const [line = '', end] = lines.join('').split('\n');
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    message: 'A snapshot was not saved.',
    taskId: 't-1',
  });
  expect(end).toBe('');
});

test.each(['text', 'json'] as const)('entries below the level are left out of %s', (format) => {
  const { log, lines } = collect('error', format);
  log.info('x');
  log.warn('x');
  log.error('broken');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('broken');
  const all = collect('info', format);
  all.log.info('x');
  all.log.warn('x');
  expect(all.lines).toHaveLength(2);
});

test.each(['text', 'json'] as const)('a long field is shortened in %s', (format) => {
  const { log, lines } = collect('error', format);
  log.error('broken', { error: 'x'.repeat(1_000_000) });
  expect(lines.join('').length).toBeLessThan(8_300);
  expect(lines.join('')).toContain('x…');
});
