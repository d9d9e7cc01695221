import { RESUME_EXTENSION, type JsonObject, type TaskState } from '@holdword/protocol';
import { expect, test } from 'vitest';
import type { EventFrame } from '../wire/client.ts';
import { checkJournal } from './check-journal.ts';

const withSequence = (seq: number): JsonObject => ({ metadata: { [RESUME_EXTENSION]: { seq } } });

function created(): EventFrame {
  return frame(1, {
    task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, ...withSequence(1) },
  });
}

function status(sequence: number, state: TaskState, extra: JsonObject = {}): EventFrame {
  const { metadata, ...rest } = extra;
  const numbered = { ...(metadata as object | undefined), [RESUME_EXTENSION]: { seq: sequence } };
  return frame(sequence, {
    statusUpdate: { taskId: 't', contextId: 'c', status: { state, ...rest }, metadata: numbered },
  });
}

function artifact(sequence: number, metadata?: JsonObject): EventFrame {
  const body = { artifactId: 'a', parts: [{ text: 'x' }], ...(metadata && { metadata }) };
  return frame(sequence, {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: body, ...withSequence(sequence) },
  });
}

function frame(sequence: number, event: JsonObject): EventFrame {
  return { sequence, json: JSON.stringify(event) };
}

const WORKING = status(2, 'TASK_STATE_WORKING');
const COMPLETED = status(3, 'TASK_STATE_COMPLETED');

test('a sound journal has no problems', () => {
  expect(checkJournal('t', [created(), WORKING, COMPLETED, artifact(4, { late: {} })])).toEqual([]);
});

test.each([
  ['a hole', [created(), COMPLETED]],
  ['an event twice', [created(), WORKING, WORKING]],
  ['no task at the start', [WORKING]],
  ['a second terminal state', [created(), WORKING, COMPLETED, status(4, 'TASK_STATE_FAILED')]],
  ['more work after the end', [created(), WORKING, COMPLETED, artifact(4)]],
  ['a failure without a reason', [created(), WORKING, status(3, 'TASK_STATE_FAILED')]],
  ['an event of another task', [created(), { ...WORKING, json: WORKING.json.replace('"t"', '"u"') }]],
])('finds %s', (_what, frames) => {
  expect(checkJournal('t', frames)).not.toEqual([]);
});

test('an interruption with a reason is a valid end', () => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Interrupted.' }] };
  const failed = status(3, 'TASK_STATE_FAILED', { message, metadata: { reason: 'interrupted' } });
  expect(checkJournal('t', [created(), WORKING, failed])).toEqual([]);
});
