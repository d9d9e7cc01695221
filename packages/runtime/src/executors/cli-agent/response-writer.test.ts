import type { Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { sendForTask } from '../../operations/testing/start-test-operations.ts';
import type { CliOutcome, CliOutput } from './profile.ts';
import { fakeProfile, startCliAgent } from './testing/start-cli-agent.ts';

/** The task of a program whose reader returns these outputs and this outcome. */
async function taskAfter(outcome: CliOutcome, outputs: readonly CliOutput[] = []): Promise<Task> {
  const profile = { ...fakeProfile(), reader: () => ({ read: () => outputs, finish: () => outcome }) };
  const { operations } = await startCliAgent(profile);
  return sendForTask(operations, 'say something');
}

const FILE = { raw: 'AAAA', filename: 'dot.png', mediaType: 'image/png' };

test('an answer is in the artifact and in the message, a file only in the artifact', async () => {
  const task = await taskAfter({ state: 'completed', parts: [{ text: 'here' }, FILE] });
  expect(task.artifacts).toMatchObject([{ name: 'response', parts: [{ text: 'here' }, FILE] }]);
  expect(task.status.message?.parts).toEqual([{ text: 'here' }]);
});

test('an answer of nothing but files has a message that names them', async () => {
  const one = await taskAfter({ state: 'completed', parts: [FILE] });
  expect(one.artifacts).toMatchObject([{ name: 'response', parts: [FILE] }]);
  expect(one.status.message?.parts).toEqual([{ text: 'The answer is the file dot.png.' }]);
  const two = await taskAfter({ state: 'completed', parts: [FILE, { raw: 'AAAA', mediaType: 'image/gif' }] });
  expect(two.status.message?.parts).toEqual([{ text: 'The answer is the files dot.png, image/gif.' }]);
});

test.each([
  ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
] as const)('%s asks without an artifact', async (state, expected) => {
  const task = await taskAfter({ state, parts: [{ text: 'Which one?' }], metadata: { model: 'm' } });
  expect(task.status).toMatchObject({
    state: expected,
    message: { parts: [{ text: 'Which one?' }], metadata: { model: 'm' } },
  });
  expect(task.artifacts).toBeUndefined();
});

test('a question without text gets a default text', async () => {
  const { status } = await taskAfter({ state: 'input-required' });
  expect(status.message?.parts).toEqual([{ text: 'The agent needs an answer from you to continue.' }]);
});

test('the turn after a question has its own artifact', async () => {
  let asked = false;
  const finish = (): CliOutcome => {
    const outcome: CliOutcome = asked
      ? { state: 'completed', parts: [{ text: 'thanks' }] }
      : { state: 'input-required', parts: [{ text: 'Which one?' }] };
    asked = true;
    return outcome;
  };
  const reader = (): { read: () => CliOutput[]; finish: () => CliOutcome } => ({
    read: () => [{ kind: 'text', text: 'so far' }],
    finish,
  });
  const { operations } = await startCliAgent({ ...fakeProfile(), reader });
  const { id } = await sendForTask(operations, 'say something');
  const task = await sendForTask(operations, 'say this one', { taskId: id });
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['response', 'response-2']);
});

test('artifacts and status updates are written as they arrive, adjacent texts as one event', async () => {
  const artifact = { artifactId: 'log', name: 'log', parts: 'line' };
  const task = await taskAfter({ state: 'completed' }, [
    { kind: 'text', text: 'one ' },
    { kind: 'text', text: 'two' },
    { kind: 'status', text: 'working on it', metadata: { step: 1 } },
    { kind: 'artifact', artifact },
    { kind: 'text', text: '' },
  ]);
  expect(task.artifacts).toMatchObject([
    { artifactId: 'response', parts: [{ text: 'one two' }] },
    { artifactId: 'log', parts: [{ text: 'line' }] },
  ]);
});
