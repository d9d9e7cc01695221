import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamResponse } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import { journalOutline, outline } from '../../engine/testing/read-journal.ts';
import { requestContext, send, sendForTask, taskIn } from '../../operations/testing/start-test-operations.ts';
import type { CliAgentOptions } from './cli-agent-options.ts';
import { CliAgent, ProcessSlots } from './cli-agent.ts';
import { execProfile } from './profiles/exec.ts';
import { beginProgram, commandProfile, failure, IMMEDIATELY } from './testing/conversation.ts';
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

  test('that prints nothing completes without a message', async () => {
    const { operations } = await startCliAgent(fakeProfile());
    const task = await sendForTask(operations, 'count 0');
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
    expect(task.status.message).toBeUndefined();
    expect(task.artifacts).toBeUndefined();
  });

  test('streams output while the program is running', async () => {
    const script = 'echo first; until [ -e go ]; do sleep 0.05; done; echo second';
    const profile = execProfile({ command: `/bin/sh -c '${script}'`, stream: true });
    const { operations, folder } = await startCliAgent(profile);
    const events: StreamResponse[] = [];
    for await (const batch of await operations.sendStreamingMessage(send('go'), requestContext())) {
      events.push(...batch.map(({ json }) => JSON.parse(json) as StreamResponse));
      // The program waits for this, so its earlier output was seen while it was running.
      if (outline(events).includes('artifact response first\n')) await writeFile(join(folder, 'go'), '');
    }
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'artifact response first\n',
      'artifact+ response second\n',
      'artifact+ response ',
      'completed first\nsecond',
    ]);
    expect(events[4]).toMatchObject({ artifactUpdate: { lastChunk: true } });
  });

  test('fails with the exit code and stderr of its program, and logs more', async () => {
    const { operations, agentLogged } = await startCliAgent(fakeProfile(), {
      environment: { values: { TOOL_TOKEN: 'abcd-efgh-1234' } },
    });
    const task = await sendForTask(operations, 'fail 3 no access to /etc/agent with abcd-efgh-1234');
    expect(task.status).toMatchObject(
      failure('The agent sh exited with code 3: no access to [path] with [redacted]'),
    );
    expect(agentLogged.join('\n')).toContain('no access to /etc/agent with [redacted]');
    expect(agentLogged.join('\n')).not.toContain('abcd-efgh-1234');
  });

  test('keeps the output of a failing program', async () => {
    const { operations } = await startCliAgent(
      commandProfile('/bin/sh', '-c', 'echo half an answer; exit 1'),
    );
    const task = await sendForTask(operations, 'go');
    expect(task.status).toMatchObject(failure(/exited with code 1 without an error message/));
    expect(task.artifacts).toMatchObject([{ parts: [{ text: 'half an answer' }] }]);
  });

  test('names a missing program', async () => {
    const { operations, agentLogged } = await startCliAgent(commandProfile('/opt/no/agent'));
    expect((await sendForTask(operations, 'go')).status).toMatchObject(
      failure(/^The program "agent" was not found\./),
    );
    expect(agentLogged.join('\n')).toContain('/opt/no/agent');
  });

  test('does not wait for processes that a program leaves running, even if they cannot be found', async () => {
    // It holds stdout open as long as its file exists, which is until the test has ended.
    const escaped = 'env -i setsid sh -c "touch escaped; while [ -e escaped ]; do sleep 0.1; done"';
    const script = `${escaped} & until [ -e escaped ]; do sleep 0.05; done; echo done`;
    const { operations } = await startCliAgent(commandProfile('/bin/sh', '-c', script));
    expect((await sendForTask(operations, 'go')).status.message?.parts).toEqual([{ text: 'done' }]);
  });
});

test.each([
  [{ timeoutMilliseconds: 200 }, 'hang', 'The agent timed out after 0.2 s'],
  [{ maxOutputBytes: 2_048 }, 'flood', 'exceeded its output limit of 2048 bytes'],
])('a program that is stopped with the limits %j is logged with the reason', async (limits, text, reason) => {
  const { operations, agentLogged } = await startCliAgent(fakeProfile(), limits);
  const task = await sendForTask(operations, text);
  expect(task.status.message?.parts[0]?.text).toContain(reason);
  expect(agentLogged.join('\n')).toContain(reason);
});

test('a process record contains nothing of the message', async () => {
  const agent = await startCliAgent(fakeProfile());
  await beginProgram(agent, 'hang');
  const [name = ''] = await readdir(agent.processFolder);
  const record: unknown = JSON.parse(await readFile(join(agent.processFolder, name), 'utf8'));
  expect(Object.keys(record as object).toSorted()).toEqual(['boot', 'process', 'server']);
});

describe('a turn that waits for a free process', () => {
  const counting = 'echo run >>runs; until [ -e go ]; do sleep 0.05; done; echo done';

  async function startBusy() {
    const agent = await startCliAgent(commandProfile('/bin/sh', '-c', counting), { maxProcesses: 1 });
    await beginProgram(agent, 'first');
    const { id } = taskIn(
      await agent.operations.sendMessage(send('second', {}, IMMEDIATELY), requestContext()),
    );
    const stateOfSecond = async () => (await agent.store.readTask(id))?.state;
    await expect.poll(stateOfSecond).toBe('TASK_STATE_SUBMITTED');
    return { ...agent, id };
  }

  test('says so, and runs when there is one', async () => {
    const { operations, store, folder, id } = await startBusy();
    await writeFile(join(folder, 'go'), '');
    await expect.poll(async () => (await store.readTask(id))?.state).toBe('TASK_STATE_COMPLETED');
    expect((await operations.getTask({ id }, requestContext())).status.message?.parts).toEqual([
      { text: 'done' },
    ]);
    expect(await journalOutline(store, id)).toEqual([
      'submitted',
      'working',
      'submitted Waiting: the agent is running its maximum number of processes.',
      'working',
      'artifact response done',
      'completed done',
    ]);
  });

  test.each([0, 60_000])('is run by the next server, if this one stops within %d ms', async (grace) => {
    const { engine, store, folder, id } = await startBusy();
    const stopping = engine.stop(grace);
    // The process of the first turn ends within the grace period, and its slot is free.
    if (grace > 0) await writeFile(join(folder, 'go'), '');
    await stopping;
    expect((await store.readTask(id))?.state).toBe('TASK_STATE_SUBMITTED');
    const after = await startCliAgent(fakeProfile(), { store });
    await expect.poll(async () => (await store.readTask(id))?.state).toMatch(/FAILED|COMPLETED/);
    expect((await journalOutline(after.store, id)).at(-1)).toMatch(/There is no behaviour named "second"/);
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('run\n');
  });
});

const patient = new AbortController().signal;

test('slots are handed out up to the limit, then in the order of waiting', async () => {
  const slots = new ProcessSlots(2);
  const releaseFirst = await slots.take(patient);
  await slots.take(patient);
  expect(slots.full).toBe(true);
  const served: string[] = [];
  const take = async (name: string): Promise<() => void> => {
    const release = await slots.take(patient);
    served.push(name);
    return release;
  };
  const third = take('third');
  const fourth = take('fourth');
  releaseFirst();
  const releaseThird = await third;
  expect(served).toEqual(['third']);
  releaseThird();
  const releaseFourth = await fourth;
  releaseFourth();
  expect(slots.full).toBe(false);
});

test('an aborted wait takes no slot', async () => {
  const slots = new ProcessSlots(1);
  const release = await slots.take(patient);
  const impatient = new AbortController();
  const waiting = slots.take(impatient.signal);
  impatient.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  release();
  expect(slots.full).toBe(false);
  await expect(slots.take(impatient.signal)).rejects.toThrow('enough');
});

test.each([
  [undefined, 'expected an object, found nothing.'],
  [
    {},
    "profile: expected a profile, such as execProfile({ command: 'wc -w' }), found nothing; processFolder:",
  ],
  [{ timeoutMilliseconds: NaN }, 'timeoutMilliseconds: expected a number above 0, or Infinity, found NaN.'],
  [{ timeoutMilliseconds: 0 }, 'timeoutMilliseconds: expected a number above 0, or Infinity, found 0.'],
  [{ timeoutMilliseconds: -1 }, 'timeoutMilliseconds: expected a number above 0, or Infinity, found -1.'],
  [{ maxProcesses: 0 }, 'maxProcesses: expected a number of at least 1, found 0.'],
])('CliAgent.open(%j) says what is wrong', async (options, problem) => {
  const complete = {
    profile: execProfile({ command: 'wc' }),
    processFolder: 'p',
    sessions: openMemoryStore(),
  };
  const given = options && (Object.keys(options).length > 0 ? { ...complete, ...options } : options);
  await expect(CliAgent.open(given as unknown as CliAgentOptions)).rejects.toThrow(
    `CliAgent.open({ profile, processFolder, sessions }): ${problem}`,
  );
});

test.each([30 * 24 * 3_600_000, Infinity])(
  'a timeout of %d ms does not fire at once',
  async (timeoutMilliseconds) => {
    const { operations } = await startCliAgent(fakeProfile(), { timeoutMilliseconds });
    expect((await sendForTask(operations, 'say hello')).status.state).toBe('TASK_STATE_COMPLETED');
  },
);
