import type { Task } from '@holdword/protocol';
import { startRuntime, type Executor } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { keepForSuccessor } from './keep-for-successor.ts';

async function taskOf(executor: Executor): Promise<Task> {
  const runtime = await startRuntime({ store: openMemoryStore(), executor });
  onTestFinished(() => runtime.stop());
  const answer = await runtime.operations.sendMessage(
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } },
    {
      owner: { tenant: '', caller: 'me', authenticated: true },
      extensions: new Set(),
      signal: new AbortController().signal,
    },
  );
  if ('message' in answer) throw new Error('Expected a task, found a message.');
  return answer.task;
}

function failsWith(exitCode: string | number): Executor {
  return keepForSuccessor({
    execute: (_turn, sink) =>
      sink.status('It ended.', { state: 'TASK_STATE_FAILED', message: { metadata: { exitCode } } }),
  });
}

test('the task of a killed agent waits, with the reason', async () => {
  const { status } = await taskOf(failsWith('SIGKILL'));
  expect(status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: {
      parts: [
        { text: 'It ended.' },
        { text: expect.stringContaining('A successor can claim and continue it') },
      ],
      metadata: { reason: 'agent-ended' },
    },
  });
});

test('a failure that the agent reports is not changed', async () => {
  expect((await taskOf(failsWith(1))).status.state).toBe('TASK_STATE_FAILED');
  const throws = keepForSuccessor({ execute: () => Promise.reject(new Error('no')) });
  expect((await taskOf(throws)).status.state).toBe('TASK_STATE_FAILED');
});

test('everything else about the agent is unchanged', async () => {
  let closed = false;
  let released: string | undefined;
  const agent: Executor = {
    card: { name: 'A', description: 'B' },
    defaultContextId: 'home',
    withoutEffects: true,
    execute: async (turn, sink) => {
      await sink.artifact({ parts: 'made' });
      await sink.complete(turn.message.parts);
    },
    release: (taskId) => void (released = taskId),
    close: async () => void (closed = true),
  };
  const kept = keepForSuccessor(agent);
  expect(kept).toMatchObject({ card: agent.card, defaultContextId: 'home', withoutEffects: true });
  expect(await taskOf(kept)).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'hello' }] } },
    artifacts: [{ parts: [{ text: 'made' }] }],
  });
  kept.release?.('t-1');
  expect(released).toBe('t-1');
  await kept.close?.();
  expect(closed).toBe(true);
});
