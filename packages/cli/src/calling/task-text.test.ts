import { expect, test } from 'vitest';
import { block, eventText, field, shellWord, taskText } from './task-text.ts';

const ids = { id: 't-1', contextId: 'c-1' };
const NOT_VERBOSE = { isVerbose: false };

test('nothing that an agent writes moves the cursor or forges a line', () => {
  expect(field('Message', 'a\u001b[2Jb\r\u0007')).toBe('Message: a[2Jb\n');
  expect(field('Message', 'a\nState: TASK_STATE_COMPLETED')).toBe(
    'Message:\n  a\n  State: TASK_STATE_COMPLETED\n\n',
  );
  expect(field('Text', '1\n')).toBe('Text: 1\n');
  expect(block('Data', 'a\n\nb')).toBe('Data:\n  a\n  \n  b\n\n');
});

test('no part is left out', () => {
  const parts = [
    { text: 'text' },
    { data: { rows: [1] } },
    { raw: 'YWJj', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://files.example/b' },
  ];
  const task = { ...ids, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', parts }] };
  expect(taskText(task, NOT_VERBOSE)).toBe(
    'Task ID: t-1\nContext ID: c-1\nState: TASK_STATE_COMPLETED\nArtifact: a\nText: text\n' +
      'Data:\n  {\n    "rows": [\n      1\n    ]\n  }\n\n' +
      'File: a.txt, text/plain, 3 bytes\nFile: https://files.example/b\n',
  );
});

test('an answer that is message and artifact is shown once', () => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'same' }] };
  const status = { state: 'TASK_STATE_COMPLETED', message };
  const task = { ...ids, status, artifacts: [{ artifactId: 'a', parts: [{ text: 'sa' }, { text: 'me' }] }] };
  expect(taskText(task, NOT_VERBOSE)).not.toContain('Message:');
  expect(taskText(task, { isVerbose: true })).toContain('Message: same');
});

test('a state that is unknown here is shown as it was received', () => {
  expect(taskText({ ...ids, status: { state: 'TASK_STATE_NEW' } }, NOT_VERBOSE)).toContain(
    'State: TASK_STATE_NEW',
  );
  const statusUpdate = { taskId: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_NEW' } };
  expect(eventText({ statusUpdate }, NOT_VERBOSE)).toContain('State: TASK_STATE_NEW');
});

test('ids of agents are quoted for the shell', () => {
  expect(shellWord('0198f3c2-6f1d')).toBe('0198f3c2-6f1d');
  expect(shellWord("x'; rm -rf ~")).toBe(`'x'\\''; rm -rf ~'`);
});
