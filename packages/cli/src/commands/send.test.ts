import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 120_000 };

async function startAgent() {
  const folder = await makeHoldwordFolder();
  const server = folder.serve('--grpc-port', '0');
  const agent = new URL(await urlOf(server)).origin;
  const run = (...words: string[]) => folder.run(...words, '-a', agent);
  return { folder, server, agent, run };
}

interface SentTask {
  task: { id: string; contextId: string; status: { state: string } };
}

test('prints what became of the task, and how to go on', SLOW, async () => {
  const { agent, run } = await startAgent();
  const sent = await run('send', 'echo hello');
  expect(sent.code).toBe(0);
  expect(sent.output).toMatch(
    /^Task ID: \S+\nContext ID: (\S+)\nState: TASK_STATE_COMPLETED\nArtifact: echo\nText: hello\nResume: holdword send -a (\S+) --context-id \1 "<message>"\n/m,
  );
  expect(sent.output).toContain(`-a ${agent} `);
});

test('asks, and continues the task with the answer', SLOW, async () => {
  const { run } = await startAgent();
  const asked = await run('send', 'ask me', '-o', 'json');
  const { task } = JSON.parse(asked.stdout) as SentTask;
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(asked.code).toBe(0);
  expect(asked.errors).toContain('The agent asks for input.');
  const answered = await run('send', '--task-id', task.id, 'blue', '-o', 'json');
  expect(JSON.parse(answered.stdout)).toMatchObject({
    task: { id: task.id, contextId: task.contextId, status: { state: 'TASK_STATE_COMPLETED' } },
  });
});

test.each([
  ['jsonrpc', '1.0'],
  ['rest', '1.0'],
  ['grpc', '1.0'],
  ['jsonrpc', '0.3'],
  ['rest', '0.3'],
  ['grpc', '0.3'],
])(
  'streams over %s of %s: one event per line, the last one with the end',
  SLOW,
  async (transport, version) => {
    const { run } = await startAgent();
    const words = ['--transport', transport, '--a2a-version', version, '-o', 'json', '--stream'];
    const streamed = await run('send', 'count to 3', ...words);
    expect(streamed.errors).toBe('');
    const events = streamed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, { status?: { state: string } }>);
    expect(Object.keys(events[0] ?? {})).toEqual(['task']);
    expect(events.filter((event) => 'artifactUpdate' in event)).toHaveLength(3);
    expect(events.at(-1)?.['statusUpdate']?.status?.state).toBe('TASK_STATE_COMPLETED');
  },
);

test('a task that another command began is listed, waited for, followed and canceled', SLOW, async () => {
  const { run } = await startAgent();
  const begun = await run('send', '--async', 'wait 600', '-o', 'json');
  const { task } = JSON.parse(begun.stdout) as SentTask;
  expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
  const listed = await run('task', 'list', '--status', 'working');
  expect(listed.output).toContain(`Task ID: ${task.id}`);
  const late = await run('task', 'get', task.id, '--wait', '--timeout', '500ms', '-o', 'json');
  expect(late.code).toBe(5);
  expect(JSON.parse(late.stdout)).toMatchObject({ error: { code: 'A2ACLI_ERR_TIMEOUT', a2aCode: null } });
  const following = run('task', 'subscribe', task.id, '--stream', '-o', 'json');
  const canceled = await run('task', 'cancel', task.id);
  expect(canceled.output).toContain('State: TASK_STATE_CANCELED');
  const followed = await following;
  expect(followed.stdout.trimEnd().split('\n').at(-1)).toContain('TASK_STATE_CANCELED');
  const again = await run('task', 'get', task.id);
  expect(again.output).toContain('State: TASK_STATE_CANCELED');
});

test('a server that is killed and comes back does not end the waiting', SLOW, async () => {
  const { folder, server, agent } = await startAgent();
  const port = new URL(agent).port;
  const sending = folder.start('send', 'wait 6', '-a', agent, '--poll-interval', '200ms');
  await sending.printed(/Task ID: /);
  await server.kill();
  folder.serve('--port', port);
  expect(await sending.ended).toBe(0);
  expect(sending.output()).toMatch(/State: TASK_STATE_(COMPLETED|FAILED)/);
});

test('Ctrl-C ends the waiting, says how to come back, and leaves the task alone', SLOW, async () => {
  const { folder, agent, run } = await startAgent();
  const sending = folder.start('send', 'wait 600', '-a', agent);
  const [, taskId = ''] = await sending.printed(/Task ID: (\S+)/);
  sending.signal('SIGINT');
  expect(await sending.ended).toBe(130);
  expect(sending.errors()).toContain(`holdword task get ${taskId} -a ${agent} --wait`);
  expect((await run('task', 'get', taskId)).output).toContain('State: TASK_STATE_WORKING');
});

describe('errors', () => {
  test('of the agent have the name of the specification', SLOW, async () => {
    const { run } = await startAgent();
    const missing = await run('send', '--task-id', 'none', 'hi', '-o', 'json');
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({
      error: {
        code: 'TaskNotFoundError',
        a2aCode: -32001,
        hint: expect.stringContaining('--debug') as string,
      },
    });
  });

  test('of the way to it have their codes', SLOW, async () => {
    const folder = await makeHoldwordFolder();
    const run = (...words: string[]) => folder.run(...words, '-o', 'json');
    await writeFile(join(folder.path, 'odd.json'), '{"name":"x"}');
    expect(await run('card', 'get', '-a', 'localhost:1')).toMatchObject({ code: 3 });
    expect((await run('card', 'get', '-a', './none.json')).stdout).toContain('A2ACLI_ERR_CARD_NOT_FOUND');
    const odd = await run('card', 'get', '-a', './odd.json');
    expect(odd.code).toBe(1);
    expect(odd.stdout).toContain('A2ACLI_ERR_CARD_INVALID');
    const misused = await run('send', '--nonsense');
    expect(misused.code).toBe(2);
    expect(JSON.parse(misused.stdout)).toMatchObject({ error: { code: 'A2ACLI_ERR_USAGE' } });
  });
});

test('a key is sent as the card says, from the environment, and never shown', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const added = await folder.run('keys', 'add', 'laptop');
  const key = /holdword_\S+/.exec(added.output)?.[0] ?? '';
  const agent = new URL(await urlOf(folder.serve())).origin;
  const missing = await folder.run('send', 'echo x', '-a', agent, '-o', 'json');
  expect(missing).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('CREDENTIALS_MISSING') as string,
  });
  const wrong = await folder.run('send', 'echo x', '-a', agent, '--bearer', 'holdword_x_y', '-o', 'json');
  expect(wrong).toMatchObject({ code: 4, stdout: expect.stringContaining('AUTH_FAILED') as string });
  await writeFile(join(folder.path, '.env'), `A2ACLI_AGENT_CARD=${agent}\nA2ACLI_BEARER=${key}\nOTHER=1\n`);
  const sent = await folder.run('send', `echo ${key}`, '--debug');
  expect(sent.code).toBe(0);
  expect(sent.errors).toContain('debug: > sendMessage');
  expect(sent.errors).not.toContain(key);
});
