import type { JsonObject, Part, TaskStatus } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { questionOf } from './question.ts';

function status(
  parts: Part[],
  metadata?: JsonObject,
  state: TaskStatus['state'] = 'TASK_STATE_INPUT_REQUIRED',
): TaskStatus {
  return { state, message: { messageId: 'm', role: 'ROLE_AGENT', parts, ...(metadata && { metadata }) } };
}

test('a running task has no question', () => {
  expect(questionOf({ state: 'TASK_STATE_WORKING' })).toBeUndefined();
});

test('choices, schema and expiry from a data part', () => {
  const data = {
    choices: ['yes', { id: 'no', label: 'No, never' }, 3, null],
    schema: { type: 'string' },
    expiresAt: '2026-11-16T10:00:00Z',
  };
  expect(questionOf(status([{ text: 'Shall I?' }, { data }]))).toEqual({
    kind: 'input-required',
    text: 'Shall I?',
    choices: [{ value: 'yes' }, { value: 'no', label: 'No, never' }, { value: '3' }],
    schema: { type: 'string' },
    expires_at: '2026-11-16T10:00:00.000Z',
  });
});

test('choices one level down in the metadata', () => {
  const metadata = { approval: { options: [{ optionId: 'allow-once', name: 'Allow once' }] } };
  expect(questionOf(status([], metadata))).toEqual({
    kind: 'input-required',
    choices: [{ value: 'allow-once', label: 'Allow once' }],
  });
});

test('tool decisions of an OpenClaw agent', () => {
  const approval = { approvalId: 'a-1', decisions: ['allow-once', 'deny'], expiresAt: 1_763_287_200_000 };
  expect(questionOf(status([{ text: 'May the agent run this? ls' }, { data: { approval } }]))).toEqual({
    kind: 'input-required',
    text: 'May the agent run this? ls',
    choices: [{ value: 'allow-once' }, { value: 'deny' }],
    expires_at: '2025-11-16T10:00:00.000Z',
  });
});

test('the URL for authentication', () => {
  const data = { authUrl: 'https://login.example/device', url: 'javascript:alert(1)' };
  expect(questionOf(status([{ data }], undefined, 'TASK_STATE_AUTH_REQUIRED'))).toEqual({
    kind: 'auth-required',
    url: 'https://login.example/device',
  });
});

test('everything is bounded', () => {
  const data = {
    choices: Array.from({ length: 100 }, () => 'x\n'.repeat(1000)),
    schema: { description: 'y'.repeat(100_000) },
    expires_at: 'whenever',
  };
  const question = questionOf(status([{ data }]));
  expect(question?.choices).toHaveLength(20);
  expect(question?.choices?.[0]?.value).toHaveLength(200);
  expect(JSON.stringify(question?.schema).length).toBeLessThan(5_000);
  expect(question).not.toHaveProperty('expires_at');
});

test('inherited property names are not fields', () => {
  const data = JSON.parse('{"__proto__": {"choices": ["evil"]}}') as JsonObject;
  expect(() => questionOf(status([{ data }]))).not.toThrow();
});
