import { startRuntime, type Owner } from '@holdword/runtime';
import { openMemoryStore, type TaskHeader } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { readOwnTurn } from './read-own-turn.ts';

const OWNER: Owner = { tenant: '', caller: 'me', authenticated: true };

/** A task whose turns end with a question, except those that are told to stay. */
async function startTask() {
  const store = openMemoryStore();
  const stay = Promise.withResolvers<void>();
  const runtime = await startRuntime({
    store,
    executor: {
      async execute(turn, sink) {
        await sink.status('Working.');
        if (turn.message.parts[0]?.text === 'stay') await stay.promise;
        await sink.askInput('And then?');
      },
    },
  });
  onTestFinished(async () => {
    stay.resolve();
    await runtime.stop();
  });
  const send = async (text: string, taskId?: string): Promise<string> => {
    const message = { messageId: text, role: 'ROLE_USER', parts: [{ text }] } as const;
    const answer = await runtime.operations.sendMessage(
      {
        message: { ...message, parts: [...message.parts], ...(taskId !== undefined && { taskId }) },
        configuration: { returnImmediately: text === 'stay' },
      },
      { owner: OWNER, extensions: new Set(), signal: new AbortController().signal },
    );
    return 'task' in answer ? answer.task.id : '';
  };
  const taskId = await send('first');
  const header = async (): Promise<TaskHeader> => {
    const found = await store.readTask(taskId);
    if (found === undefined) throw new Error('Expected a task, found none.');
    return found;
  };
  return { store, header, send: (text: string) => send(text, taskId) };
}

test('a turn is running until it ends, whatever follows it', async () => {
  const { store, header, send } = await startTask();
  const { lastSequence: after } = await header();
  expect(await readOwnTurn(store, await header(), after)).toBeUndefined();
  await send('second');
  const ended = await readOwnTurn(store, await header(), after);
  expect(ended).toEqual({ inWork: false, endedAt: expect.any(Number) });
  const { lastSequence: later } = await header();
  await send('stay');
  expect(await readOwnTurn(store, await header(), later)).toEqual({ inWork: true });
  expect(await readOwnTurn(store, await header(), after)).toEqual(ended);
});

test('finds the first turn of a task', async () => {
  const { store, header } = await startTask();
  expect(await readOwnTurn(store, await header(), 0)).toMatchObject({ inWork: false });
});
