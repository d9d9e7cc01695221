import { expect, test } from 'vitest';
import type { Config } from '../config/config-schema.ts';
import { chooseLog } from './choose-log.ts';

function written(config: Config, errorsAreWatched: boolean): string {
  const lines: string[] = [];
  const log = chooseLog(config, {
    out: () => {},
    error: (text) => void lines.push(text),
    errorsAreWatched,
    columns: 100,
    style: (_format, text) => text,
  });
  log.info('Resuming a task.', { taskId: 't-1' });
  log.warn('A snapshot was not saved.', { taskId: 't-1' });
  return lines.join('');
}

test('a terminal gets text', () => {
  expect(written({}, true)).toMatch(/Z warn A snapshot was not saved\. taskId=t-1\n$/);
});

test('a pipe gets JSON lines', () => {
  const [line = '', end] = written({ logLevel: 'warn' }, false).split('\n');
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    message: 'A snapshot was not saved.',
    taskId: 't-1',
  });
  expect(end).toBe('');
});

test('the configuration wins', () => {
  expect(written({ logFormat: 'json', logLevel: 'info' }, true).match(/^\{/gm)).toHaveLength(2);
  expect(written({ logFormat: 'text' }, false)).toContain('warn A snapshot');
});
