import { expect, test, vi } from 'vitest';
import { InMemoryNotes } from '../stores/in-memory-task-store.ts';
import { type Intent, UnansweredMessages } from './unanswered-messages.ts';

const INTENT: Intent = { agentId: 'a', parts: [{ text: 'hello' }] };

test('an unanswered message is reused by the next call', async () => {
  const notes = new InMemoryNotes();
  const first = await new UnansweredMessages(notes).begin(INTENT);
  const again = await new UnansweredMessages(notes).begin(INTENT);
  expect(again.message).toEqual(first.message);
  expect(first.message).toMatchObject({ role: 'ROLE_USER', parts: INTENT.parts });
  expect(first.message.contextId).toEqual(expect.any(String));
});

test('an answered message is not reused', async () => {
  const unanswered = new UnansweredMessages(new InMemoryNotes());
  const first = await unanswered.begin(INTENT);
  await first.settle();
  expect((await unanswered.begin(INTENT)).message.messageId).not.toBe(first.message.messageId);
});

test('a message in flight is not reused until it is released', async () => {
  const unanswered = new UnansweredMessages(new InMemoryNotes());
  const first = await unanswered.begin(INTENT);
  const second = await unanswered.begin(INTENT);
  expect(second.message.messageId).not.toBe(first.message.messageId);
  await second.settle();
  first.release();
  expect((await unanswered.begin(INTENT)).message).toEqual(first.message);
});

test.each([
  ['another agent', { agentId: 'b' }],
  ['other words', { parts: [{ text: 'bye' }] }],
  ['another conversation', { contextId: 'c-1' }],
  ['another task', { taskId: 't-1' }],
  ['an id of its own', { messageId: 'm-1' }],
])('%s makes a different message', async (_, difference) => {
  const notes = new InMemoryNotes();
  const first = await new UnansweredMessages(notes).begin(INTENT);
  const other = await new UnansweredMessages(notes).begin({ ...INTENT, ...difference });
  expect(other.message.messageId).not.toBe(first.message.messageId);
});

test('a message to a task has a context id only if one is given', async () => {
  const { message } = await new UnansweredMessages(new InMemoryNotes()).begin({
    ...INTENT,
    taskId: 't-1',
  });
  expect(message).toMatchObject({ taskId: 't-1' });
  expect(message).not.toHaveProperty('contextId');
});

test('an unanswered message is not reused after a day', async () => {
  const notes = new InMemoryNotes();
  const first = await new UnansweredMessages(notes).begin(INTENT);
  vi.useFakeTimers({ now: Date.now() + 25 * 60 * 60 * 1000, toFake: ['Date'] });
  try {
    const later = await new UnansweredMessages(notes).begin(INTENT);
    expect(later.message.messageId).not.toBe(first.message.messageId);
  } finally {
    vi.useRealTimers();
  }
});

test('a message whose id the caller chose is the same message in every process, answered or not', async () => {
  const intent = { ...INTENT, messageId: 'order-4711' };
  const first = await new UnansweredMessages(new InMemoryNotes()).begin(intent);
  await first.settle();
  const later = await new UnansweredMessages(new InMemoryNotes()).begin(intent);
  expect(later.message).toEqual(first.message);
});

test('notes that nobody came back for are removed', async () => {
  const notes = new InMemoryNotes();
  await new UnansweredMessages(notes).begin(INTENT);
  await notes.write('task-t-1', '{"agentId":"a"}');
  vi.useFakeTimers({ now: Date.now() + 25 * 60 * 60 * 1000, toFake: ['Date'] });
  try {
    const other = await new UnansweredMessages(notes).begin({ ...INTENT, agentId: 'b' });
    await other.settle();
    expect(await notes.list()).toEqual(['{"agentId":"a"}']);
  } finally {
    vi.useRealTimers();
  }
});
