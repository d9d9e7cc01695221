import { expect, test } from 'vitest';
import { jsonLog } from './json-log.ts';

function collect(level: 'error' | 'warn' | 'info') {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, log: jsonLog({ level, destination: { write } }) };
}

test('writes one object per line, with time, level and fields', () => {
  const { lines, log } = collect('info');
  log.warn('Could not release a lease.', { taskId: 't-1' });
  expect(lines).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 'warn',
      name: 'holdword',
      message: 'Could not release a lease.',
      taskId: 't-1',
    },
  ]);
});

test('omits what is below its level', () => {
  const { lines, log } = collect('warn');
  log.info('quiet');
  log.error('loud');
  expect(lines.map(({ message }) => message)).toEqual(['loud']);
});

test('never writes a secret, at the top level or nested', () => {
  const { lines, log } = collect('info');
  log.info('called', { token: 'abc', headers: { authorization: 'Bearer abc', host: 'localhost' } });
  expect(JSON.stringify(lines)).not.toContain('abc');
  expect(lines[0]).toMatchObject({ headers: { host: 'localhost' } });
});
