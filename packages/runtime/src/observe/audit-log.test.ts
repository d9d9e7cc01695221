import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** A request of a stranger that was refused. */
function from(peer: string) {
  return {
    binding: 'JSONRPC' as const,
    version: '1.0' as const,
    operation: undefined,
    caller: undefined,
    tenant: undefined,
    peer,
    error: 'UNAUTHENTICATED' as const,
    limit: undefined,
    taskId: undefined,
    milliseconds: 1,
  };
}

describe('refusals', () => {
  test('of strangers that repeat are counted, and others keep their lines', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    for (let number = 0; number < 100_000; number += 1) observer.requestEnded?.(from('192.0.2.7'));
    observer.requestEnded?.(from('192.0.2.8'));
    observer.fallbackRejected?.({ operation: 'register', named: 'me', peer: '192.0.2.7', code: 'DELX-1' });
    await audit.close();
    const written = await lines(file);
    expect(written.slice(0, 10)).toEqual(
      Array(10)
        .fill(written[0])
        .map((line: object) => ({ ...line, time: expect.any(String) })),
    );
    expect(written.slice(10)).toEqual([
      expect.objectContaining({ peer: '192.0.2.8', outcome: 'UNAUTHENTICATED' }),
      expect.objectContaining({ peer: '192.0.2.7', outcome: 'DELX-1', named: 'me' }),
      {
        time: expect.any(String),
        event: 'refused',
        peer: '192.0.2.7',
        outcome: 'UNAUTHENTICATED',
        count: 99_990,
        since: expect.any(String),
      },
    ]);
  });

  test('keep the line of a rare reason among many others of the same address', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    for (let number = 0; number < 1_000; number += 1) {
      const id = number.toString(16).padStart(12, '0');
      observer.requestEnded?.({ ...from('192.0.2.7'), reason: `API key with the id ${id}: unknown` });
    }
    observer.requestEnded?.({ ...from('192.0.2.7'), reason: 'token that has expired' });
    await audit.close();
    const written = await lines(file);
    expect(written).toHaveLength(12);
    expect(written[9]).toMatchObject({ reason: 'API key with the id 000000000009: unknown' });
    expect(written[10]).toMatchObject({ peer: '192.0.2.7', reason: 'token that has expired' });
    expect(written[11]).toMatchObject({ reason: 'API key with the id …: unknown', count: 990 });
  });

  test('keep the line of a rare reason among any number of addresses', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    for (let number = 0; number < 5_000; number += 1)
      observer.requestEnded?.({ ...from(`2001:db8::${number.toString(16)}`), reason: 'no credential' });
    observer.requestEnded?.({ ...from('192.0.2.7'), reason: 'token that has expired' });
    await audit.close();
    expect(await lines(file)).toContainEqual(
      expect.objectContaining({ peer: '192.0.2.7', reason: 'token that has expired' }),
    );
  });

  test('for any number of reasons take a bounded number of lines', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    for (let number = 0; number < 50_000; number += 1)
      observer.requestEnded?.({ ...from(`2001:db8::${number % 300}`), reason: `reason ${number}` });
    await audit.close();
    const written = await lines(file);
    expect(written.length).toBeLessThan(500);
    expect(written.at(-1)).toMatchObject({ outcome: 'UNAUTHENTICATED', count: expect.any(Number) });
  });

  test('from any number of addresses take a bounded number of lines', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    for (let number = 0; number < 50_000; number += 1)
      observer.requestEnded?.(from(`2001:db8::${number.toString(16)}`));
    await audit.close();
    const written = (await lines(file)) as { count?: number }[];
    expect(written.length).toBeLessThan(300);
    expect(written.at(-1)).toEqual({
      time: expect.any(String),
      event: 'refused',
      outcome: 'UNAUTHENTICATED',
      count: 50_000 - 210,
      since: expect.any(String),
    });
  });

  test('of callers keep their lines, unless there are very many', async () => {
    const file = await temporaryFile();
    const audit = await openAuditFile({ file, log: noopLog });
    const observer = auditingObserver(audit);
    const refused = { ...from('192.0.2.7'), operation: 'getTask' as const, error: 'TASK_NOT_FOUND' as const };
    for (let number = 0; number < 50; number += 1)
      observer.requestEnded?.({ ...refused, caller: 'key:bob', tenant: '' });
    for (let number = 0; number < 5_000; number += 1)
      observer.requestEnded?.({ ...refused, caller: 'key:alice', tenant: `tenant-${number}` });
    await audit.close();
    const written = await lines(file);
    expect(written).toHaveLength(50 + 100 + 1);
    expect(written[49]).toMatchObject({ owner: ['', 'key:bob'], operation: 'getTask' });
    expect(written.at(-1)).toMatchObject({
      caller: 'key:alice',
      operation: 'getTask',
      outcome: 'TASK_NOT_FOUND',
      count: 4_900,
    });
  });

  test('are counted anew each minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const written: string[] = [];
    const observer = auditingObserver({
      write: (line) => void written.push(line),
      beforeClose: () => {},
      close: async () => {},
    });
    for (let number = 0; number < 12; number += 1) observer.requestEnded?.(from('192.0.2.7'));
    expect(written).toHaveLength(10);
    vi.advanceTimersByTime(60_000);
    expect(JSON.parse(written.at(-1) ?? '')).toMatchObject({ peer: '192.0.2.7', count: 2 });
    vi.advanceTimersByTime(600_000);
    expect(written).toHaveLength(11);
    observer.requestEnded?.(from('192.0.2.7'));
    expect(written).toHaveLength(12);
  });
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
  const ended = { ...call, taskId: 't-1', milliseconds: 3, limitScope: undefined };
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
    reason: 'no credential',
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
      reason: 'no credential',
    },
  ]);
});
