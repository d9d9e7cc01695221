import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

test('a server reports readiness, metrics and an audit log', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve();
  const url = await urlOf(holdword);
  const task = await taskOf(await send(url, 'echo hello'));
  await getTask(url, 'unknown').catch(() => {});

  const ready = await fetch(new URL('/readyz', url));
  expect(await ready.json()).toEqual({
    status: 'ready',
    checks: { running: { ok: true }, store: { ok: true }, heartbeat: { ok: true }, disk: { ok: true } },
  });
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  expect(metrics).toMatch(/^holdword_requests_total\{operation="sendMessage",.*outcome="OK"\} 1$/m);
  expect(metrics).toMatch(/^holdword_turns_running 0$/m);
  expect(metrics).toMatch(/^holdword_streams_open 0$/m);
  expect(metrics).toMatch(/^holdword_commit_group_tasks_count [1-9]/m);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d/m);

  holdword.signal('SIGTERM');
  expect(await holdword.ended).toBe(0);
  const audit = await readFile(join(folder.path, '.holdword', 'audit.jsonl'), 'utf8');
  const lines = audit
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter((line) => line['task'] === task.id).map((line) => line['state'])).toEqual([
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'refused', peer: '127.0.0.1', outcome: 'TASK_NOT_FOUND' }),
  );
  expect(audit).not.toContain('hello');
});

test('at the level info the log has a line for each request and each ended task, without content', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--log-level', 'info');
  const url = await urlOf(holdword);
  const { id } = await taskOf(await send(url, 'echo hello'));
  await fetch(`${url}/a2a/rest/tasks/unknown`, { headers: { 'A2A-Version': '1.0' } });
  await holdword.printed(/TASK_NOT_FOUND/);
  const lines = holdword
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const common = { level: 'info', name: 'holdword', time: expect.any(String) as string };
  const rest = { binding: 'HTTP+JSON', version: '1.0', milliseconds: expect.any(Number) as number };
  const caller = 'anonymous';
  const request = { ...common, ...rest, message: 'Request handled.', caller };
  expect(lines).toHaveLength(3);
  expect(lines).toEqual(
    expect.arrayContaining([
      { ...common, message: 'Task ended.', taskId: id, state: 'TASK_STATE_COMPLETED', caller },
      { ...request, method: 'SendMessage', outcome: 'OK', taskId: id },
      { ...request, method: 'GetTask', outcome: 'TASK_NOT_FOUND', taskId: 'unknown' },
    ]),
  );
});

test('metrics and audit log can be disabled', async () => {
  const folder = await makeHoldwordFolder();
  const config = { metrics: { enabled: false }, audit: { enabled: false } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const url = await urlOf(folder.serve());
  expect((await fetch(new URL('/metrics', url))).status).toBe(404);
  await expect(readFile(join(folder.path, '.holdword', 'audit.jsonl'))).rejects.toThrow('ENOENT');
});

test('configured limits are enforced', async () => {
  const folder = await makeHoldwordFolder();
  const config = { limits: { concurrentTurns: 1, queuedTurns: 0, streams: 1, eventBytes: 1024 } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const url = await urlOf(folder.serve());
  const large = await taskOf(await send(url, `echo ${'x'.repeat(2_000)}`));
  expect(large.status.state).toBe('TASK_STATE_FAILED');
  await send(url, 'wait 3600', { immediately: true });
  expect((await send(url, 'echo hello')).status).toBe(429);
});

test('an audit log that cannot be written is reported at the start', async () => {
  const folder = await makeHoldwordFolder();
  const config = { audit: { file: 'no/such/folder/audit.jsonl' } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const holdword = folder.serve();
  expect(await holdword.ended).not.toBe(0);
  expect(holdword.output()).toMatch(
    /Cannot write the audit log .*audit\.jsonl: its folder does not exist\. Set another path/,
  );
});
