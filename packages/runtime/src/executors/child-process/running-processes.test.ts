import { expect, test } from 'vitest';
import {
  identityOf,
  listFromPs,
  listProcesses,
  marksIn,
  markVariable,
  parseProcStatus,
  startTimeFromPs,
} from './running-processes.ts';

test('this process is in the list, with the start time of its identity', async () => {
  const own = (await listProcesses()).find(({ pid }) => pid === process.pid);
  expect(own?.startTime).toBe(identityOf(process.pid)?.startTime);
  expect(own?.group).toBeGreaterThan(0);
});

test('the portable list contains it as well', async () => {
  const own = (await listFromPs()).find(({ pid }) => pid === process.pid);
  expect(own?.startTime).toMatch(/^\w{3} \w{3}\s+\d+ \d\d:\d\d:\d\d \d{4}$/);
  expect(own?.startTime).toBe(startTimeFromPs(process.pid));
});

test('pid 0 and the largest pid do not exist', () => {
  expect(identityOf(2 ** 22 + 1)).toBeUndefined();
  expect(startTimeFromPs(2 ** 22 + 1)).toBeUndefined();
});

function statusOf(state: string): string {
  return `42 (a) b (c) ${state} 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0 0`;
}

test('a name with spaces and parentheses does not confuse the parser; zombies are left out', () => {
  expect(parseProcStatus(statusOf('S'))).toEqual({ group: 7, startTime: '12345' });
  expect(parseProcStatus(statusOf('Z'))).toBeUndefined();
  expect(parseProcStatus('nonsense')).toBeUndefined();
});

test('marks are read from their variable only', () => {
  expect(marksIn('PATH=/bin\0HOLDWORD_PROCESS=a,b\0HOME=/root\0')).toEqual(['a', 'b']);
  expect(marksIn('NOT_HOLDWORD_PROCESS=a\0')).toEqual([]);
  expect(marksIn('')).toEqual([]);
  const variables = Object.entries(markVariable('c')).map(([name, value]) => `${name}=${value}`);
  expect(marksIn(variables.join('\0'))).toContain('c');
});
