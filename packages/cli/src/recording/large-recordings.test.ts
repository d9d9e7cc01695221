import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { StreamResponse } from '@holdword/protocol';
import { openSqliteStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { startHoldword } from '../testing/start-holdword.ts';
import { urlOf } from '../testing/talk.ts';
import { recordingHeader, type RecordedEvent } from './recording-format.ts';
import { writeEvents, writeRecordingFile } from './write-recording.ts';

/** Many commits and many processes on a machine that may be busy. */
const SLOW = { timeout: 900_000 };
const EVENTS = 50_000;
/** Too little for the parsed events of such a task, and enough for the program. */
const SMALL_HEAP = ['--max-old-space-size=64'];

const ids = { taskId: 'large', contextId: 'c' };
const input = { messageId: 'm', ...ids, role: 'ROLE_USER' as const, parts: [{ text: 'write a book' }] };

function numbered(sequence: number): { metadata: object } {
  return { metadata: { 'urn:holdword:a2a:resume:v1': { seq: sequence } } };
}

/** A task whose only artifact came in many chunks. */
async function* manyEvents(count: number, chunk: string): AsyncGenerator<RecordedEvent, void, undefined> {
  const time = '2026-11-18T10:00:00.000Z';
  const begun = { state: 'TASK_STATE_SUBMITTED' as const, timestamp: time };
  const task = { id: 'large', contextId: 'c', status: begun, history: [input], ...numbered(1) };
  yield { sequence: 1, time, input, event: { task } as StreamResponse };
  const working = { state: 'TASK_STATE_WORKING' as const, timestamp: time };
  yield {
    sequence: 2,
    time,
    event: { statusUpdate: { ...ids, status: working, ...numbered(2) } } as StreamResponse,
  };
  for (let sequence = 3; sequence < count; sequence += 1) {
    const artifact = { artifactId: 'book', parts: [{ text: `${sequence} ${chunk}` }] };
    const artifactUpdate = { ...ids, artifact, ...(sequence > 3 && { append: true }), ...numbered(sequence) };
    yield { sequence, event: { artifactUpdate } as StreamResponse };
  }
  const status = { state: 'TASK_STATE_COMPLETED' as const, timestamp: time };
  yield {
    sequence: count,
    time,
    event: { statusUpdate: { ...ids, status, ...numbered(count) } } as StreamResponse,
  };
}

async function writeLarge(folder: HoldwordFolder, count: number, chunk: string): Promise<void> {
  const header = recordingHeader({ task: { id: 'large', contextId: 'c' } });
  await writeRecordingFile(join(folder.path, 'large.jsonl'), (writer) =>
    writeEvents(writer, { header, events: manyEvents(count, chunk) }),
  );
}

async function digestOf(folder: HoldwordFolder, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder.path, file))) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function small(folder: HoldwordFolder, nodeArguments = SMALL_HEAP) {
  const start = (...words: string[]) => startHoldword(words, { cwd: folder.path, nodeArguments });
  return {
    start,
    run: async (...words: string[]) => {
      const process = start(...words);
      const code = await process.ended;
      expect(`${code} ${process.errors()}`, words.join(' ')).toBe('0 ');
      return process.stdout();
    },
  };
}

test(
  `a task of ${EVENTS} events is imported, exported, replayed, compared and forked in little memory`,
  SLOW,
  async () => {
    const folder = await makeHoldwordFolder();
    await writeLarge(folder, EVENTS, 'lorem ipsum dolor sit amet '.repeat(8));
    const { run } = small(folder);
    expect(await run('task', 'import', 'large.jsonl', '--data', 'data')).toContain(`${EVENTS} events`);
    await run('task', 'export', 'large', '--data', 'data', '--out', 'stored.jsonl');
    expect(await digestOf(folder, 'stored.jsonl')).toBe(await digestOf(folder, 'large.jsonl'));

    const agent = new URL(await urlOf(folder.serve('--data', 'data'))).origin;
    await run('task', 'export', 'large', '-a', agent, '--out', 'wire.jsonl');
    expect(await run('diff', 'wire.jsonl', 'large.jsonl')).toBe('No differences.\n');
    const replayed = await run('task', 'replay', 'wire.jsonl', '--speed', 'max', '-o', 'json');
    expect(replayed.trimEnd().split('\n').at(-1)).toContain(`{"sequence":${EVENTS},`);
    expect(await run('task', 'show', 'large', '-a', agent)).toMatch(
      /3-49999 .* book \(\d.* MiB in 49997 parts\)/,
    );

    const forked = await run(
      'task',
      'fork',
      'large',
      '-a',
      agent,
      '--at',
      String(EVENTS),
      '--message',
      'echo more',
      '--async',
      '-o',
      'json',
    );
    expect(forked).toContain('"text": "echo more"');
  },
);

test(`a mock plays ${EVENTS} events in little memory`, SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await writeLarge(folder, EVENTS, 'lorem ipsum dolor sit amet '.repeat(8));
  const { run, start } = small(folder);
  const mock = start('mock', '--from', 'large.jsonl', '--port', '0');
  const [, url = ''] = await mock.printed(/^Agent: (\S+)\n[^]*Ctrl-C/m);
  const sent = await folder.run('send', 'write a book', '--async', '-o', 'json', '-a', url);
  const { id } = (JSON.parse(sent.stdout) as { task: { id: string } }).task;
  const events = await run('task', 'events', id, '--follow', '-o', 'json', '-a', url);
  expect(events.trimEnd().split('\n').at(-1)).toContain('TASK_STATE_COMPLETED');
  await run('task', 'export', id, '-a', url, '--out', 'mocked.jsonl');
  expect(await run('diff', 'mocked.jsonl', 'large.jsonl')).toBe('No differences.\n');
  expect(await mock.stop()).toBe(0);
});

test('events of many megabytes go through one at a time', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await writeLarge(folder, 24, 'x'.repeat(8 * 1024 * 1024));
  const { run } = small(folder, ['--max-old-space-size=160']);
  await run('task', 'import', 'large.jsonl', '--data', 'data');
  await run('task', 'export', 'large', '--data', 'data', '--out', 'stored.jsonl');
  expect(await digestOf(folder, 'stored.jsonl')).toBe(await digestOf(folder, 'large.jsonl'));
  expect(await run('diff', 'stored.jsonl', 'large.jsonl')).toBe('No differences.\n');
});

test('an import that is killed leaves nothing that runs, and is run again', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await writeLarge(folder, 20_000, 'lorem ipsum '.repeat(20));
  const killed = folder.start('task', 'import', 'large.jsonl', '--data', 'data');
  await expect
    .poll(() => stored(folder), { timeout: 120_000, interval: 5 })
    .toMatchObject({ lastSequence: expect.any(Number) as number });
  await killed.kill();
  const half = await stored(folder);
  expect(half?.lastSequence).toBeLessThan(20_000);
  expect(half).toMatchObject({
    state: 'TASK_STATE_FAILED',
    status: expect.stringContaining('import of this task has not finished') as string,
  });
  const server = folder.serve('--data', 'data');
  const agent = new URL(await urlOf(server)).origin;
  const answer = await folder.run('send', '--task-id', 'large', 'go on', '-a', agent);
  expect(answer.errors).toContain('has ended (TASK_STATE_FAILED)');
  await server.stop();
  const again = await folder.run('task', 'import', 'large.jsonl', '--data', 'data');
  expect(again).toMatchObject({
    code: 0,
    output: 'Imported task large: 20000 events, TASK_STATE_COMPLETED.\n',
  });
  await folder.run('task', 'export', 'large', '--data', 'data', '--out', 'stored.jsonl');
  expect(await digestOf(folder, 'stored.jsonl')).toBe(await digestOf(folder, 'large.jsonl'));
});

async function stored(folder: HoldwordFolder) {
  try {
    const store = await openSqliteStore({ folder: join(folder.path, 'data'), shared: true });
    try {
      return await store.readTask('large');
    } finally {
      await store.close();
    }
  } catch {
    // The import has not created it yet.
    return undefined;
  }
}
