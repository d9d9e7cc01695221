import type { Task } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { requestContext, send, sendForTask, taskIn } from '../../operations/testing/start-test-operations.ts';
import { readJournal } from '../../engine/testing/read-journal.ts';
import { livingProcesses, recordedMarks } from '../child-process/testing/living-processes.ts';
import { beginProgram, failure, IMMEDIATELY } from './testing/conversation.ts';
import { fakeProfile, startCliAgent } from './testing/start-cli-agent.ts';

describe('the limits of a turn', () => {
  test('a program that times out is stopped with everything it has started', async () => {
    const agent = await startCliAgent(fakeProfile(), { timeoutMilliseconds: 500 });
    const { id, marks } = await beginProgram(agent, 'stubborn');
    const finished = async (): Promise<Task> => agent.operations.getTask({ id }, requestContext());
    await expect.poll(async () => (await finished()).status.state).toBe('TASK_STATE_FAILED');
    expect((await finished()).status).toMatchObject(failure(/timed out after 0.5 s and was stopped/));
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    await expect.poll(() => recordedMarks(agent.processFolder)).toEqual([]);
  });

  test('a program that exceeds the output limit is stopped, and the limit is named', async () => {
    const agent = await startCliAgent(fakeProfile(true), { maxOutputBytes: 200_000 });
    const { id, status } = await sendForTask(agent.operations, 'flood');
    expect(status).toMatchObject(failure(/exceeded its output limit of 200000 bytes/));
    const events = await readJournal(agent.engine.store, id);
    const lastChunk = events.findLast((event) => 'artifactUpdate' in event);
    expect(lastChunk).toMatchObject({ artifactUpdate: { lastChunk: true } });
    await expect.poll(() => recordedMarks(agent.processFolder)).toEqual([]);
  });

  test('canceling a turn ends its program and everything it has started', async () => {
    const agent = await startCliAgent(fakeProfile(true));
    const { id, marks } = await beginProgram(agent, 'stubborn');
    await agent.operations.cancelTask({ id }, requestContext());
    await expect.poll(() => agent.engine.turns.activity.running).toBe(0);
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    const { status } = await agent.operations.getTask({ id }, requestContext());
    expect(status.state).toBe('TASK_STATE_CANCELED');
  });

  test('a turn that waits for a process slot says so, and can be canceled while waiting', async () => {
    const agent = await startCliAgent(fakeProfile(), { maxProcesses: 1 });
    const first = await beginProgram(agent, 'hang');
    const waiting = taskIn(
      await agent.operations.sendMessage(send('say hi', {}, IMMEDIATELY), requestContext()),
    );
    const impatient = taskIn(
      await agent.operations.sendMessage(send('say no', {}, IMMEDIATELY), requestContext()),
    );
    const read = async (id: string): Promise<Task> => agent.operations.getTask({ id }, requestContext());
    await expect
      .poll(async () => (await read(impatient.id)).status.message?.parts[0]?.text)
      .toMatch(/^Waiting: the agent is running its maximum/);
    await agent.operations.cancelTask({ id: impatient.id }, requestContext());
    await agent.operations.cancelTask({ id: first.id }, requestContext());
    await expect.poll(async () => (await read(waiting.id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await read(impatient.id)).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('stopping the server ends its programs', async () => {
    const agent = await startCliAgent(fakeProfile());
    const { id, marks } = await beginProgram(agent, 'stubborn');
    await agent.engine.stop(0);
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    expect((await agent.operations.getTask({ id }, requestContext())).status).toMatchObject(
      failure(/^Interrupted/),
    );
  });
});
