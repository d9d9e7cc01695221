import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noopLog } from '../log.ts';
import { auditingObserver, openAuditFile } from './audit-log.ts';

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

async function lines(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

test('a line is written to the file soon, without a flush', async () => {
  const file = await temporaryFile();
  const audit = await openAuditFile({ file, log: noopLog });
  audit.write('{"number":1}');
  audit.write('{"number":2}');
  await expect.poll(() => lines(file)).toEqual([{ number: 1 }, { number: 2 }]);
  await audit.close();
});

test('appends to the file after a restart', async () => {
  const file = await temporaryFile();
  for (const number of [1, 2]) {
    const audit = await openAuditFile({ file, log: noopLog });
    audit.write(JSON.stringify({ number }));
    await audit.close();
  }
  expect(await lines(file)).toEqual([{ number: 1 }, { number: 2 }]);
});

test('a full disk is logged once, however many lines are lost', async () => {
  const file = await temporaryFile();
  await symlink('/dev/full', file);
  const errors: unknown[] = [];
  const log = { ...noopLog, error: (...line: unknown[]) => void errors.push(line) };
  const audit = await openAuditFile({ file, log });
  audit.write('{"number":1}');
  await expect.poll(() => errors.length).toBe(1);
  audit.write('{"number":2}');
  await audit.close();
  expect(errors).toEqual([
    [
      'Could not write the audit log. Its lines are lost until this is corrected.',
      { file, error: expect.stringContaining('ENOSPC') as string },
    ],
  ]);
});

test('rotates a large file and keeps the configured number', async () => {
  const file = await temporaryFile();
  for (let number = 1; number <= 5; number += 1) {
    const audit = await openAuditFile({ file, log: noopLog, rotateBytes: 30, keptFiles: 2 });
    audit.write(JSON.stringify({ number, filler: 'some text' }));
    await audit.close();
  }
  expect((await readdir(join(file, '..'))).toSorted()).toEqual([
    'audit.1.jsonl',
    'audit.2.jsonl',
    'audit.jsonl',
  ]);
  expect(await lines(file)).toMatchObject([{ number: 5 }]);
  expect(await lines(file.replace('audit.', 'audit.2.'))).toMatchObject([{ number: 3 }]);
});

test('writes who, what and the outcome', async () => {
  const file = await temporaryFile();
  const audit = await openAuditFile({ file, log: noopLog });
  const observer = auditingObserver(audit);
  const time: unknown = expect.stringMatching(/Z$/);
  observer.stateChanged?.({
    taskId: 't-1',
    ownerKey: '["acme","key:me"]',
    state: 'TASK_STATE_COMPLETED',
    from: 'TASK_STATE_WORKING',
  });
  const call = { binding: 'JSONRPC', version: '1.0', operation: 'getTask', peer: '192.0.2.7' } as const;
  const ended = { ...call, taskId: 't-1', milliseconds: 3 };
  observer.requestEnded?.({ ...ended, caller: 'key:me', tenant: 'acme', error: undefined, limit: undefined });
  observer.requestEnded?.({
    ...ended,
    caller: 'key:me',
    tenant: 'acme',
    error: 'TASK_NOT_FOUND',
    limit: undefined,
  });
  observer.requestEnded?.({
    ...ended,
    operation: undefined,
    caller: undefined,
    tenant: undefined,
    error: 'UNAUTHENTICATED',
    limit: undefined,
  });
  await audit.close();
  expect(await lines(file)).toEqual([
    {
      time,
      event: 'state',
      owner: ['acme', 'key:me'],
      task: 't-1',
      from: 'TASK_STATE_WORKING',
      state: 'TASK_STATE_COMPLETED',
      ended: true,
    },
    { time, event: 'refused', owner: ['acme', 'key:me'], outcome: 'TASK_NOT_FOUND', ...call },
    {
      time,
      event: 'refused',
      peer: '192.0.2.7',
      binding: 'JSONRPC',
      version: '1.0',
      outcome: 'UNAUTHENTICATED',
    },
  ]);
});
