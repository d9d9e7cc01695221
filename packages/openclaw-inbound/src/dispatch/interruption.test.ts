import type { Artifact, Message, Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { knownCalls } from './interruption.ts';

function call(turn: number, data: Record<string, unknown>, source = 'tool-progress'): Artifact {
  return { artifactId: `${source}-${JSON.stringify(data)}`, metadata: { turn, source }, parts: [{ data }] };
}

function taskWith(turns: number, artifacts: Artifact[]): Task {
  const message: Message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const history = Array.from({ length: turns }, () => message);
  return { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, history, artifacts };
}

test('the calls of the current turn are known, with how they ended', () => {
  const artifacts = [
    call(2, { tool: 'read', phase: 'result', status: 'completed' }),
    call(2, { tool: 'exec', phase: 'update', output: 'so far' }),
    call(2, { tool: 'write', phase: 'result' }),
    call(2, { text: 'an answer' }, 'assistant-output'),
  ];
  expect(knownCalls(taskWith(2, artifacts))).toEqual([
    { name: 'read', status: 'completed' },
    { name: 'exec', status: undefined },
    { name: 'write', status: 'ended' },
  ]);
});

test('of earlier turns, only calls that have not ended count', () => {
  const artifacts = [
    call(1, { tool: 'read', phase: 'result', status: 'completed' }),
    call(1, { tool: 'exec', phase: 'start' }),
  ];
  expect(knownCalls(taskWith(2, artifacts))).toEqual([{ name: 'exec', status: undefined }]);
});

test('a task without artifacts has no calls', () => {
  const { artifacts: _none, ...task } = taskWith(1, []);
  expect(knownCalls(task)).toEqual([]);
});
