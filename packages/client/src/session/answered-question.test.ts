import type { TaskStatus } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { isStillAsking } from './answered-question.ts';

function asked(fields: { timestamp?: string; messageId?: string; text?: string } = {}): TaskStatus {
  const { timestamp, messageId = '', text } = fields;
  return {
    state: 'TASK_STATE_INPUT_REQUIRED',
    ...(timestamp !== undefined && { timestamp }),
    ...(text !== undefined && { message: { messageId, role: 'ROLE_AGENT', parts: [{ text }] } }),
  };
}

const FULL = { timestamp: '2026-01-31T12:00:00Z', messageId: 'q-1', text: 'Which?' };
const { timestamp: _timestamp, ...UNDATED } = FULL;

test.each([
  ['of the same time and message', FULL, FULL],
  ['of the same message, without a time', UNDATED, UNDATED],
  ['of the same words, without a time and an id', { text: 'Which?' }, { text: 'Which?' }],
  ['that says nothing', {}, {}],
  ['of which only the time is known', { timestamp: FULL.timestamp }, FULL],
])('a question %s is the one that was answered', (_, before, after) => {
  expect(isStillAsking(asked(before), asked(after))).toBe(true);
});

test.each([
  ['of another time', FULL, { ...FULL, timestamp: '2026-01-31T12:00:01Z' }],
  ['in another message', UNDATED, { ...UNDATED, messageId: 'q-2' }],
  ['in other words', UNDATED, { ...UNDATED, text: 'Which size?' }],
  ['that says something, after one that said nothing', {}, UNDATED],
])('a question %s is a new one', (_, before, after) => {
  expect(isStillAsking(asked(before), asked(after))).toBe(false);
});

test('another state is no question that was answered', () => {
  expect(isStillAsking(asked(UNDATED), { ...asked(UNDATED), state: 'TASK_STATE_AUTH_REQUIRED' })).toBe(false);
  expect(isStillAsking(asked(UNDATED), { state: 'TASK_STATE_WORKING' })).toBe(false);
  expect(isStillAsking({ state: 'TASK_STATE_WORKING' }, { state: 'TASK_STATE_WORKING' })).toBe(false);
});
