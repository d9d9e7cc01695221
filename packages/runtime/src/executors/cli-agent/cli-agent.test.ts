import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outline } from '../../engine/testing/read-journal.ts';
import { callOf, readStream, send, sendForTask } from '../../operations/testing/start-test-operations.ts';
import { beginProgram, commandProfile, failure } from './testing/conversation.ts';
import { fakeProfile, startCliAgent } from './testing/start-cli-agent.ts';

describe('a turn of a command-line agent', () => {
  test('answers in an artifact and in the message of its status', async () => {
    const { operations } = await startCliAgent(fakeProfile());
    const task = await sendForTask(operations, 'say hello there');
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'hello there' }] } },
      artifacts: [{ artifactId: 'response', name: 'response', parts: [{ text: 'hello there' }] }],
    });
  });

  test('that prints nothing completes without a word', async () => {
    const { operations } = await startCliAgent(fakeProfile());
    const task = await sendForTask(operations, 'count 0');
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
    expect(task.status.message).toBeUndefined();
    expect(task.artifacts).toBeUndefined();
  });

  test('streams what is printed while the program runs', async () => {
    const { operations } = await startCliAgent(fakeProfile(true));
    const { events } = await readStream(operations.sendStreamingMessage(send('count 3 0.2'), callOf()));
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'artifact response line 1\n',
      'artifact+ response line 2\n',
      'artifact+ response line 3\n',
      'artifact+ response ',
      'completed line 1\nline 2\nline 3',
    ]);
    expect(events[5]).toMatchObject({ artifactUpdate: { lastChunk: true } });
  });

  test('fails with the code and the last words of its program, and tells its operator more', async () => {
    const { operations, agentLogged } = await startCliAgent(fakeProfile(), {
      environment: { values: { TOOL_TOKEN: 'abcd-efgh-1234' } },
    });
    const task = await sendForTask(operations, 'fail 3 no access to /etc/agent with abcd-efgh-1234');
    expect(task.status).toMatchObject(
      failure('The agent /bin/sh ended with code 3: no access to [path] with [redacted]'),
    );
    expect(agentLogged.join('\n')).toContain('no access to /etc/agent with [redacted]');
    expect(agentLogged.join('\n')).not.toContain('abcd-efgh-1234');
  });

  test('keeps what a failing program has said', async () => {
    const { operations } = await startCliAgent(
      commandProfile('/bin/sh', '-c', 'echo half an answer; exit 1'),
    );
    const task = await sendForTask(operations, 'go');
    expect(task.status).toMatchObject(failure(/ended with code 1 and gave no reason/));
    expect(task.artifacts).toMatchObject([{ parts: [{ text: 'half an answer' }] }]);
  });

  test('names the program that is not there', async () => {
    const { operations } = await startCliAgent(commandProfile('/opt/no/agent'));
    expect((await sendForTask(operations, 'go')).status).toMatchObject(
      failure(/^The program "\/opt\/no\/agent" was not found\./),
    );
  });

  test('does not wait for what a program leaves behind, even where nobody can find that', async () => {
    const escape = `env -i setsid sh -c 'touch escaped; sleep 4' & until [ -e escaped ]; do sleep 0.05; done; echo done`;
    const { operations } = await startCliAgent(commandProfile('/bin/sh', '-c', escape));
    const before = Date.now();
    expect((await sendForTask(operations, 'go')).status.message?.parts).toEqual([{ text: 'done' }]);
    expect(Date.now() - before).toBeLessThan(3_900);
  });
});

test('a record of a process holds nothing of the message', async () => {
  const agent = await startCliAgent(fakeProfile());
  await beginProgram(agent, 'hang');
  const [name = ''] = await readdir(agent.processFolder);
  const record: unknown = JSON.parse(await readFile(join(agent.processFolder, name), 'utf8'));
  expect(Object.keys(record as object).toSorted()).toEqual(['boot', 'process', 'server']);
});
