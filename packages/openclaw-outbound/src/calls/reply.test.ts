import type { Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { hasMoreThanText, replyText } from './reply.ts';

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
  ['an answer only in the history', task({ history: [asked, message('earlier'), asked] }), 'earlier'],
  ["only the user's messages", task({ history: [asked] }), ''],
  ['nothing', task({}), ''],
])('the text of %s', (_name, content, expected) => {
  expect(replyText(content)).toBe(expected);
});

test('detects data and files', () => {
  expect(hasMoreThanText({ message: message('one') })).toBe(false);
  expect(hasMoreThanText(task({ artifacts: [{ artifactId: 'a', parts: [{ data: 1 }] }] }))).toBe(true);
  expect(hasMoreThanText(task({ history: [{ ...asked, parts: [{ url: 'https://a.example' }] }] }))).toBe(
    false,
  );
});
