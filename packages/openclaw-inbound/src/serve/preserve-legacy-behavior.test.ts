import { RESUME_EXTENSION, type Task } from '@holdword/protocol';
import type { RequestContext, EventStream, Operations } from '@holdword/runtime';
import { expect, test } from 'vitest';
import { echo } from '../testing/serve-scripted-account.ts';
import { requestContext, startScriptedAccount } from '../testing/start-scripted-account.ts';
import { preserveLegacyBehavior } from './preserve-legacy-behavior.ts';

const LEGACY: RequestContext = { ...requestContext(), version: '0.3' };

async function ended(): Promise<{ operations: Operations; task: Task }> {
  const account = { agentStyle: 'task-generating' };
  const { operations, sendForTask } = await startScriptedAccount(echo, { account });
  return { operations, task: await sendForTask('hello') };
}

async function statesIn(stream: EventStream): Promise<string[]> {
  const states: string[] = [];
  for await (const frames of stream) {
    for (const { json } of frames) states.push((JSON.parse(json) as { task: Task }).task.status.state);
  }
  return states;
}

test('a task that ends right before the subscription is returned once', async () => {
  const { operations, task } = await ended();
  const looks: Task[] = [{ ...task, status: { state: 'TASK_STATE_WORKING' } }];
  const kept = preserveLegacyBehavior({
    ...operations,
    getTask: async (request, context) => looks.shift() ?? operations.getTask(request, context),
  });
  expect(await statesIn(await kept.subscribeToTask({ id: task.id }, LEGACY))).toEqual([
    'TASK_STATE_COMPLETED',
  ]);
});

test('a task that has ended is returned once to a client that only sends its last event ID', async () => {
  const { operations, task } = await ended();
  const kept = preserveLegacyBehavior(operations);
  const call = { ...LEGACY, resumeAfter: 1 };
  expect(await statesIn(await kept.subscribeToTask({ id: task.id }, call))).toEqual(['TASK_STATE_COMPLETED']);
});

test('a task that has ended is replayed to a client that supports the extension', async () => {
  const { operations, task } = await ended();
  const kept = preserveLegacyBehavior(operations);
  const call = { ...LEGACY, resumeAfter: 0, extensions: new Set([RESUME_EXTENSION]) };
  const frames: unknown[] = [];
  for await (const some of await kept.subscribeToTask({ id: task.id }, call)) frames.push(...some);
  expect(frames.length).toBeGreaterThan(2);
});

test('a task that waits for input is returned once', async () => {
  const { operations, task } = await ended();
  const waiting: Task = { ...task, status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
  const kept = preserveLegacyBehavior({ ...operations, getTask: async () => waiting });
  expect(await statesIn(await kept.subscribeToTask({ id: task.id }, LEGACY))).toEqual([
    'TASK_STATE_INPUT_REQUIRED',
  ]);
});

test('unknown tasks are rejected', async () => {
  const { operations } = await ended();
  const kept = preserveLegacyBehavior(operations);
  const refusal = { code: 'TASK_NOT_FOUND' };
  await expect(kept.subscribeToTask({ id: 'unknown' }, LEGACY)).rejects.toMatchObject(refusal);
  await expect(kept.cancelTask({ id: 'unknown' }, LEGACY)).rejects.toMatchObject(refusal);
});
