import type { Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { replyParts, replyText } from './reply.ts';

function task(fields: Partial<Task>): { task: Task } {
  return { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, ...fields } };
}

function message(...texts: string[]) {
  return { messageId: 'm', role: 'ROLE_AGENT' as const, parts: texts.map((text) => ({ text })) };
}

const asked = { messageId: 'q', role: 'ROLE_USER' as const, parts: [{ text: 'question' }] };

test.each([
  ['a message', { message: message('one', 'two') }, 'one\n\ntwo'],
  [
    'an answer in artifacts',
    task({
      artifacts: [
        { artifactId: 'a', parts: [{ text: 'one' }] },
        { artifactId: 'b', parts: [{ text: 'two' }] },
      ],
    }),
    'one\n\ntwo',
  ],
  [
    'an answer in the status',
    task({ status: { state: 'TASK_STATE_COMPLETED', message: message('done') } }),
    'done',
  ],
  [
    'the same answer in both',
    task({
      artifacts: [{ artifactId: 'a', parts: [{ text: 'done' }] }],
      status: { state: 'TASK_STATE_COMPLETED', message: message('done') },
    }),
    'done',
  ],
  ['an answer only in the history', task({ history: [asked, message('answer')] }), 'answer'],
  ['a question that the user has answered', task({ history: [asked, message('question?'), asked] }), ''],
  ["only the user's messages", task({ history: [asked] }), ''],
  ['nothing', task({}), ''],
])('the text of %s', (_name, content, expected) => {
  expect(replyText({ content, mergesText: false })).toBe(expected);
});

const chunks = task({
  artifacts: [{ artifactId: 'a', parts: ['The an', 'swer is', ' 4', '2', '.'].map((text) => ({ text })) }],
});

test('chunks that an agent keeps as parts are one text', () => {
  expect(replyText({ content: chunks, mergesText: false })).toBe('The answer is 42.');
});

test('parts of an agent that merges chunks are separate texts', () => {
  const content = task({ artifacts: [{ artifactId: 'a', parts: [{ text: 'One.' }, { text: 'Two.' }] }] });
  expect(replyText({ content, mergesText: true })).toBe('One.\n\nTwo.');
});

test('a question that was answered is not an answer', () => {
  const status = { state: 'TASK_STATE_INPUT_REQUIRED' as const, message: message('Which one?') };
  const content = task({ status, history: [asked, message('Which one?')] });
  expect(replyText({ content, mergesText: false, isAnswered: true })).toBe('');
});

test('the parts of an answer are those of its artifacts and its status', () => {
  const status = { state: 'TASK_STATE_COMPLETED' as const, message: message('done') };
  const artifacts = [{ artifactId: 'a', parts: [{ data: 1 }] }];
  expect(replyParts(task({ artifacts, status, history: [asked] }))).toEqual([{ data: 1 }, { text: 'done' }]);
});
