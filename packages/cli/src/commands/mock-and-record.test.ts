import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HoldwordProcess } from '../testing/holdword-process.ts';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 240_000 };

async function ready(process: HoldwordProcess): Promise<string> {
  const [, url = ''] = await process.printed(/^Agent: (\S+)\n[^]*Ctrl-C/m);
  return url;
}

/** Sends the messages of a conversation, the second to the task of the first. */
async function talk(folder: HoldwordFolder, agent: string, ...more: string[]): Promise<string> {
  const run = (...words: string[]) => folder.run(...words, '-a', agent, ...more);
  const asked = await run('send', 'ask me', '-o', 'json');
  const { id } = (JSON.parse(asked.stdout) as { task: { id: string } }).task;
  const answered = await run('send', '--task-id', id, 'Ada');
  expect(answered.output).toContain('Hello, Ada!');
  const streamed = await run('send', '--stream', 'count to 3');
  expect(streamed.output).toContain('TASK_STATE_COMPLETED');
  return id;
}

test.each([
  ['JSON-RPC', ['--transport', 'jsonrpc']],
  ['REST', ['--transport', 'rest']],
  ['0.3', ['--a2a-version', '0.3']],
])(
  'what clients and an agent say over %s is recorded, and a mock says it again',
  SLOW,
  async (_name, options) => {
    const folder = await makeHoldwordFolder();
    const agent = new URL(await urlOf(folder.serve())).origin;
    const recording = folder.start('record', '--agent', agent, '--out', 'talk.jsonl', '--port', '0');
    const id = await talk(folder, await ready(recording), ...options);
    expect(await recording.stop()).toBe(0);
    expect(recording.errors()).toMatch(/Recorded \d+ events/);
    expect((await folder.run('task', 'replay', 'talk.jsonl', '--speed', 'max')).output).toContain(
      'Hello, Ada!',
    );

    const mock = folder.start('mock', '--from', 'talk.jsonl', '--port', '0', '--strict');
    const url = await ready(mock);
    const copy = await talk(folder, url, ...options);
    const strangers = await folder.run('send', 'echo hello', '-a', url);
    expect(strangers.output).toMatch(
      /TASK_STATE_FAILED[^]*The recording has no answer to "user: echo hello"/,
    );
    await folder.run('task', 'export', copy, '--out', 'copy.jsonl', '-a', url);
    expect(await mock.stop()).toBe(1);

    await folder.run('task', 'export', id, '--out', 'real.jsonl', '-a', agent);
    expect(await folder.run('diff', 'real.jsonl', 'copy.jsonl')).toMatchObject({
      code: 0,
      output: 'No differences.\n',
    });
    const imported = await folder.run('task', 'import', 'talk.jsonl', '--task', id, '--data', 'other');
    expect(imported).toMatchObject({ code: 0 });
    await folder.run('task', 'export', id, '--out', 'imported.jsonl', '--data', 'other');
    // A client that polls does not see every state.
    const compared = await folder.run('diff', 'real.jsonl', 'imported.jsonl', '-o', 'json');
    const { differences } = JSON.parse(compared.stdout) as { differences: { what: string }[] };
    expect(differences.filter(({ what }) => what !== 'states')).toEqual([]);
    const several = await folder.run('task', 'import', 'talk.jsonl', '--data', 'other');
    expect(several.errors).toContain('there are 2 tasks');
  },
);

test('a mock answers in the order of the recording, and again', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const agent = new URL(await urlOf(folder.serve())).origin;
  const id = await talk(folder, agent);
  const mock = folder.start('mock', '--from', id, '-a', agent, '--port', '0');
  const url = await ready(mock);
  for (const _ of [1, 2]) {
    const asked = await folder.run('send', 'ask me', '-a', url, '-o', 'json');
    const { task } = JSON.parse(asked.stdout) as { task: { id: string; status: { state: string } } };
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = await folder.run('send', '--task-id', task.id, 'Ada', '-a', url);
    expect(answered.output).toContain('Hello, Ada!');
  }
  expect(await mock.stop()).toBe(0);
  expect(mock.errors()).toContain('Played 2 of 2 recorded messages.');
});

test('a strict mock that got everything in order is content', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const agent = new URL(await urlOf(folder.serve())).origin;
  const id = await talk(folder, agent);
  await folder.run('task', 'export', id, '--out', 'task.jsonl', '-a', agent);
  const start = () => folder.start('mock', '--from', 'task.jsonl', '--port', '0', '--strict');
  const unused = start();
  await ready(unused);
  expect(await unused.stop()).toBe(1);
  const used = start();
  const url = await ready(used);
  const asked = await folder.run('send', 'ask me', '-a', url, '-o', 'json');
  const { task } = JSON.parse(asked.stdout) as { task: { id: string } };
  await folder.run('send', '--task-id', task.id, 'Ada', '-a', url);
  expect(await used.stop()).toBe(0);
});

test('a recording has no credentials, and never replaces a file', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const key = /holdword_\S+/.exec((await folder.run('keys', 'add', 'alice')).output)?.[0] ?? '';
  const agent = new URL(await urlOf(folder.serve())).origin;
  const recording = folder.start(
    'record',
    '--agent',
    agent,
    '--out',
    'talk.jsonl',
    '--port',
    '0',
    '--bearer',
    key,
  );
  await talk(folder, await ready(recording));
  const again = await folder.run('record', '--agent', agent, '--out', 'talk.jsonl', '--port', '0');
  expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('the file exists') as string });
  await recording.stop();
  expect(await readFile(join(folder.path, 'talk.jsonl'), 'utf8')).not.toContain(key);
});

test('two runs that differ are told apart', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const agent = new URL(await urlOf(folder.serve())).origin;
  const sendFor = async (text: string) => {
    const { stdout } = await folder.run('send', text, '-o', 'json', '-a', agent);
    return (JSON.parse(stdout) as { task: { id: string } }).task.id;
  };
  const [one, two, three] = [await sendFor('echo one'), await sendFor('echo one'), await sendFor('fail')];
  expect((await folder.run('diff', one, two, '-a', agent)).code).toBe(0);
  const different = await folder.run('diff', one, three, '-a', agent);
  expect(different.code).toBe(1);
  expect(different.output).toMatch(/@@ states @@\n- completed\n\+ failed\n@@ texts @@\n- user: echo one/);
  const json = await folder.run('diff', one, three, '-a', agent, '-o', 'json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    equal: false,
    differences: { length: expect.any(Number) as number },
  });
});
