import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 240_000 };

/** A server whose task asked for a name, got one and has ended: seven events, the question is the third. */
async function startInterview(environment: Record<string, string> = {}) {
  const folder = await makeHoldwordFolder(environment);
  const server = folder.serve();
  const agent = new URL(await urlOf(server)).origin;
  const run = (...words: string[]) => folder.run(...words, '-a', agent);
  const asked = await run('send', 'ask me', '-o', 'json');
  const { id } = (JSON.parse(asked.stdout) as { task: { id: string } }).task;
  await run('send', '--task-id', id, 'Ada');
  return { folder, server, agent, run, id };
}

function lines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The lines between the header and the end, without their digests. */
function events(text: string): Record<string, unknown>[] {
  return lines(text)
    .slice(1, -1)
    .map((line) => ({ ...line, digest: undefined }));
}

async function exported(folder: HoldwordFolder, file: string): Promise<string> {
  return readFile(join(folder.path, file), 'utf8');
}

test('a task is shown as what happened in it, over the wire and from the data', SLOW, async () => {
  const { folder, run, id } = await startInterview();
  const shown = await run('task', 'show', id);
  expect(shown.errors).toBe('');
  for (const row of [
    /^1 +20.*message +user: ask me$/m,
    /^ +state +submitted$/m,
    /^3 +20.*state +input-required$/m,
    /^ +question +What is your name\?$/m,
    /^4 +20.*message +user: Ada$/m,
    /^5 +artifact +greeting \(11 B\)$/m,
    /^ +answer +Hello, Ada!$/m,
  ]) {
    expect(shown.output).toMatch(row);
  }
  const data = await folder.run('task', 'show', id, '--data', '.holdword', '-o', 'json');
  const wire = await run('task', 'show', id, '-o', 'json');
  const [a, b] = [data, wire].map(({ stdout }) => JSON.parse(stdout) as { timeline: unknown });
  expect(a?.timeline).toEqual(b?.timeline);
});

test('events are printed from any of them on, and followed to the end', SLOW, async () => {
  const { folder, run, id, agent } = await startInterview();
  const some = await run('task', 'events', id, '--after', '4', '-o', 'json');
  expect(lines(some.stdout).map((event) => Object.keys(event)[0])).toEqual([
    'artifactUpdate',
    'statusUpdate',
  ]);
  const followed = await run('task', 'events', id, '--after', '4', '--follow', '-o', 'json');
  expect(followed.stdout).toBe(some.stdout);
  const running = await run('send', '--async', 'wait 2', '-o', 'json');
  const { id: other } = (JSON.parse(running.stdout) as { task: { id: string } }).task;
  const following = folder.start('task', 'events', other, '--follow', '-o', 'json', '-a', agent);
  expect(await following.ended).toBe(0);
  expect(lines(following.stdout()).at(-1)).toMatchObject({
    statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } },
  });
  const stored = await folder.run('task', 'events', other, '--follow', '-o', 'json', '--data', '.holdword');
  expect(stored.stdout).toBe(following.stdout());
  expect((await run('task', 'events', id, '--after', 'x')).code).toBe(2);
});

test('a task goes from one server to another, and is the same there', SLOW, async () => {
  const { folder, run, id, server } = await startInterview();
  expect(await run('task', 'export', id, '--out', 'wire.jsonl')).toMatchObject({ code: 0, errors: '' });
  expect((await folder.run('task', 'export', id, '--data', '.holdword', '--out', 'data.jsonl')).code).toBe(0);
  const [wire, data] = [await exported(folder, 'wire.jsonl'), await exported(folder, 'data.jsonl')];
  expect(events(wire)).toEqual(events(data));
  expect(events(wire)[3]).toMatchObject({ sequence: 4, input: { parts: [{ text: 'Ada' }] } });
  const printed = await run('task', 'export', id);
  expect(printed.stdout).toBe(wire);
  expect(await run('task', 'export', id, '--out', 'wire.jsonl')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('the file exists') as string,
  });
  const before = await run('task', 'get', id, '-o', 'json');
  await server.stop();

  const imported = await folder.run('task', 'import', 'wire.jsonl', '--data', 'other');
  expect(imported.output).toBe(`Imported task ${id}: 6 events, TASK_STATE_COMPLETED.\n`);
  const again = await folder.run('task', 'import', 'wire.jsonl', '--data', 'other');
  expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('exists already') as string });
  const renamed = await folder.run('task', 'import', 'wire.jsonl', '--data', 'other', '--new-id', '--json');
  const { taskId } = JSON.parse(renamed.stdout) as { taskId: string };
  expect(taskId).not.toBe(id);
  await folder.run('task', 'export', id, '--data', 'other', '--out', 'back.jsonl');
  expect(await exported(folder, 'back.jsonl')).toBe(data);

  const there = folder.serve('--data', 'other');
  const url = new URL(await urlOf(there)).origin;
  expect((await folder.run('task', 'get', id, '-o', 'json', '-a', url)).stdout).toBe(before.stdout);
  const moved = await folder.run('task', 'get', taskId, '-o', 'json', '-a', url);
  expect(moved.stdout.replaceAll(taskId, id)).toContain('"text": "Ada"');
  expect(moved.stdout).not.toContain(id);
  const same = await folder.run('diff', 'wire.jsonl', taskId, '-a', url);
  expect(same).toMatchObject({ code: 0, output: 'No differences.\n' });
});

test('an imported task that waits can be answered', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const first = folder.serve();
  const url = new URL(await urlOf(first)).origin;
  const asked = await folder.run('send', 'ask me', '-o', 'json', '-a', url);
  const { id } = (JSON.parse(asked.stdout) as { task: { id: string } }).task;
  await folder.run('task', 'export', id, '--out', 'asked.jsonl', '-a', url);
  await folder.run('send', '--async', 'wait 600', '-a', url);
  const list = await folder.run('task', 'list', '--status', 'working', '-o', 'json', '-a', url);
  const [working] = (JSON.parse(list.stdout) as { tasks: { id: string }[] }).tasks;
  await folder.run('task', 'export', working?.id ?? '', '--out', 'working.jsonl', '-a', url);
  await first.stop();
  const refused = await folder.run('task', 'import', 'working.jsonl', '--data', 'other');
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('still running') as string });
  await folder.run('task', 'import', 'asked.jsonl', '--data', 'other');
  const second = new URL(await urlOf(folder.serve('--data', 'other'))).origin;
  const answered = await folder.run('send', '--task-id', id, 'Grace', '-a', second);
  expect(answered.output).toContain('Hello, Grace!');
});

test('a damaged file is not imported, and the line is named', SLOW, async () => {
  const { folder, run, id } = await startInterview();
  await run('task', 'export', id, '--out', 'task.jsonl');
  const text = await exported(folder, 'task.jsonl');
  await writeFile(join(folder.path, 'task.jsonl'), text.replace('"Ada"', '"Eve"'));
  const refused = await folder.run('task', 'import', 'task.jsonl', '--data', 'other');
  expect(refused.code).toBe(1);
  expect(refused.errors).toMatch(/task\.jsonl: line 5: its digest does not match/);
  for (const command of ['replay', 'show'])
    expect((await folder.run('task', command, 'task.jsonl')).errors).toMatch(/line 5/);
  expect((await folder.run('task', 'export', id, '--data', 'other')).errors).toMatch(/no task/);
});

test('a recording is replayed with what was said', SLOW, async () => {
  const { folder, run, id } = await startInterview();
  await run('task', 'export', id, '--out', 'task.jsonl');
  const replayed = await folder.run('task', 'replay', 'task.jsonl', '--speed', 'max');
  expect(replayed.output).toMatch(
    /User: ask me\n[^]*Message: What is your name\?\n[^]*User: Ada\n[^]*Hello, Ada!/,
  );
  const json = await run('task', 'replay', id, '--speed', '1000', '-o', 'json');
  expect(lines(json.stdout).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await folder.run('task', 'replay', 'task.jsonl', '--speed', 'fast')).code).toBe(2);
  expect((await folder.run('task', 'replay', 'missing.jsonl')).errors).toContain('it does not exist');
});

test('a task is forked where it asked, and nowhere else', SLOW, async () => {
  const { run, id } = await startInterview();
  const before = await run('task', 'get', id, '-o', 'json');
  const forked = await run('task', 'fork', id, '--at', '3', '--message', 'Grace', '-o', 'json');
  expect(forked.errors).toBe('');
  const { task } = JSON.parse(forked.stdout) as { task: { id: string; history: { parts: unknown }[] } };
  expect(task.id).not.toBe(id);
  expect(JSON.stringify(task)).toContain('Hello, Grace!');
  expect((await run('task', 'get', id, '-o', 'json')).stdout).toBe(before.stdout);
  const waiting = await run('task', 'fork', id, '--at', '3');
  expect(waiting.output).toMatch(/State: TASK_STATE_INPUT_REQUIRED\nMessage: What is your name\?/);
  const middle = await run('task', 'fork', id, '--at', '2', '--message', 'x');
  expect(middle).toMatchObject({
    code: 1,
    errors: expect.stringContaining('in the middle of a turn') as string,
  });
  expect((await run('task', 'fork', id)).errors).toContain('At which event?');
});

test("another caller's task is not found by any of these commands", SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const keyOf = async (name: string) =>
    /holdword_\S+/.exec((await folder.run('keys', 'add', name)).output)?.[0] ?? '';
  const [alice, bob] = [await keyOf('alice'), await keyOf('bob')];
  const agent = new URL(await urlOf(folder.serve())).origin;
  const as = (key: string, ...words: string[]) => folder.run(...words, '-a', agent, '--bearer', key);
  const asked = await as(alice, 'send', 'ask me', '-o', 'json');
  const { id } = (JSON.parse(asked.stdout) as { task: { id: string } }).task;
  for (const words of [
    ['task', 'show', id],
    ['task', 'events', id],
    ['task', 'events', id, '--follow'],
    ['task', 'export', id],
    ['task', 'replay', id],
    ['task', 'fork', id, '--at', '3'],
    ['task', 'fork', id, '--at', '3', '--message', 'Eve'],
    ['mock', '--from', id],
  ]) {
    const refused = await as(bob, ...words);
    expect(refused, words.join(' ')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('TaskNotFoundError') as string,
    });
    // Nothing was sent that could have been accepted.
    expect(refused.errors, words.join(' ')).not.toContain('accepted');
  }
  expect((await as(bob, 'task', 'list')).output).toContain('Total: 0');
  expect((await as(alice, 'task', 'fork', id, '--at', '3', '--message', 'Ada')).output).toContain(
    'Hello, Ada!',
  );
});
