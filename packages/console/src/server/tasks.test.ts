import { RESUME_EXTENSION } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import type { TaskChange } from '../api/tasks.ts';
import { TimelineFold } from '../api/timeline-fold.ts';
import type { JournalEvent } from '../api/task.ts';
import {
  readEvents,
  sendText,
  startTestConsole,
  type Sender,
  type TestConsole,
} from '../testing/start-test-console.ts';

async function settle(
  view: TestConsole,
  as: Sender,
  taskId: string,
  state = 'TASK_STATE_COMPLETED',
): Promise<void> {
  await expect
    .poll(async () => (await view.call('getTask', { as, path: { taskId } })).body.state)
    .toBe(state);
}

async function* twoLines({ taskId }: { taskId: string }): AsyncGenerator<string> {
  yield `${taskId}\n`;
  yield 'done\n';
}

describe('a task', () => {
  test('is sent, asked about, answered and shown from its journal', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'ask Which color?');
    await settle(view, as, taskId, 'TASK_STATE_INPUT_REQUIRED');
    const asked = (await view.call('getTask', { as, path: { taskId } })).body;
    expect(asked).toMatchObject({
      owner: { caller: 'key:alice', tenant: null },
      statusText: 'Which color?',
      mayCancel: true,
      question: { wants: 'input', parts: [{ text: 'Which color?' }] },
    });
    expect(asked.question?.choices).toEqual([
      { value: 'red', label: 'red' },
      { value: 'blue', label: 'blue' },
    ]);
    const answer = { messageId: 'answer-1', taskId, parts: [{ text: 'say red' }] };
    const sent = await view.call('sendMessage', { as, body: answer });
    expect(sent.body.task?.id).toBe(taskId);
    await settle(view, as, taskId);
    // The same message again changes nothing.
    const again = await view.call('sendMessage', { as, body: answer });
    expect(again.body.task?.id).toBe(taskId);

    const { items, complete, omitted, lastSequence } = (
      await view.call('getTimeline', { as, path: { taskId } })
    ).body;
    expect({ complete, omitted }).toEqual({ complete: true, omitted: 0 });
    expect(items.filter(({ kind }) => kind === 'turn')).toMatchObject([
      { number: 1, text: 'ask Which color?', outcome: 'TASK_STATE_INPUT_REQUIRED' },
      { number: 2, text: 'say red', outcome: 'TASK_STATE_COMPLETED' },
    ]);
    expect(items.find(({ kind }) => kind === 'question')).toMatchObject({
      wants: 'input',
      answeredBy: expect.any(Number),
    });
    expect(items.find(({ kind }) => kind === 'tool')).toMatchObject({
      name: 'search',
      callId: 'c1',
      outcome: 'done',
    });
    expect(items.at(-1)).toMatchObject({ kind: 'state', state: 'TASK_STATE_COMPLETED', lastSequence });

    const { entries, nextAfter } = (await view.call('getConversation', { as, path: { taskId } })).body;
    expect(nextAfter).toBeNull();
    expect(entries.map(({ from, kind, parts }) => [from, kind, parts[0]?.text])).toEqual([
      ['user', 'message', 'ask Which color?'],
      ['agent', 'question', 'Which color?'],
      ['user', 'message', 'say red'],
      ['agent', 'message', 'Thinking.'],
      ['agent', 'message', 'Using a tool.'],
      ['agent', 'message', 'Found it.'],
      ['agent', 'message', 'Done: red'],
    ]);

    // From its end, piece by piece.
    const pieces: typeof entries = [];
    for (let before: number | null | undefined; before !== null;) {
      const query = { limit: '2', ...(before !== undefined && { before: String(before) }) };
      const { body } = await view.call('getConversation', { as, path: { taskId }, query });
      expect(body.entries.length).toBeLessThanOrEqual(3);
      pieces.unshift(...body.entries);
      before = body.nextBefore;
    }
    expect(pieces).toEqual(entries);
    const rest = await view.call('getConversation', { as, path: { taskId }, query: { after: '1' } });
    expect(rest.body.entries).toEqual(entries.filter(({ sequence }) => sequence > 1));
  });

  test('has its events by range, the same as the journal', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'chunks 40');
    await settle(view, as, taskId);
    const committed = await view.store.readEvents(taskId, 0, 1000);
    const read = async (query: Record<string, string>) =>
      (await view.call('listEvents', { as, path: { taskId }, query })).body;
    const first = await read({ limit: '10' });
    expect(first).toMatchObject({ firstSequence: 1, lastSequence: committed.length });
    expect(first.events.map(({ event }) => event)).toEqual(
      committed.slice(0, 10).map(({ json }) => JSON.parse(json)),
    );
    const before = await read({ before: '20', limit: '5' });
    expect(before.events.map(({ sequence }) => sequence)).toEqual([15, 16, 17, 18, 19]);
    const after = await read({ after: String(committed.length - 2), limit: '5' });
    expect(after.events.map(({ sequence }) => sequence)).toEqual([committed.length - 1, committed.length]);
    expect((await read({ before: '3', limit: '5' })).events.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('is followed live, and resumed without a gap or a duplicate', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'ask');
    await settle(view, as, taskId, 'TASK_STATE_INPUT_REQUIRED');
    const received: JournalEvent[] = [];
    const stop = new AbortController();
    const read = async (headers: Sender): Promise<void> => {
      for await (const { id, data } of readEvents(
        view.urlOf('watchTask', { taskId }),
        headers,
        stop.signal,
      )) {
        received.push(data as JournalEvent);
        expect(Number(id)).toBe(received.at(-1)?.sequence);
        if (received.length === 2) return;
        if (
          received.at(-1)?.sequence === (await view.store.readTask(taskId))?.lastSequence &&
          received.length > 5
        )
          return;
      }
    };
    await read(as);
    const resumed = read({ ...as, 'last-event-id': '2' });
    await view.call('sendMessage', { as, body: { messageId: 'm2', taskId, parts: [{ text: 'chunks 5' }] } });
    await resumed;
    stop.abort();
    const committed = await view.store.readEvents(taskId, 0, 1000);
    expect(received.map(({ sequence }) => sequence)).toEqual(
      committed.slice(0, received.length).map(({ sequence }) => sequence),
    );
    expect(received.find(({ input }) => input !== null)?.input).toMatchObject({ messageId: 'm2' });

    // What the page folds from the stream is what the server folds from the store.
    const fold = new TimelineFold();
    for (const { sequence, json, internal } of committed)
      fold.add({
        sequence,
        event: JSON.parse(json),
        input: internal ? (JSON.parse(internal).input ?? null) : null,
        takeover: null,
      });
    const timeline = (await view.call('getTimeline', { as, path: { taskId } })).body;
    expect(timeline.items).toEqual(fold.items);
  });

  test('folds the chunks of an artifact to one item and continues a fold', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'chunks 300');
    await settle(view, as, taskId);
    const timeline = (await view.call('getTimeline', { as, path: { taskId } })).body;
    expect(timeline.items.filter(({ kind }) => kind === 'artifact')).toMatchObject([
      { artifactId: 'text', name: 'Text', version: 1, chunks: 300, late: false },
    ]);
    const continued = TimelineFold.from(timeline);
    const sequence = timeline.lastSequence + 1;
    const artifactUpdate = {
      taskId,
      contextId: 'c',
      artifact: { artifactId: 'text', parts: [{ text: 'more' }] },
      append: true,
    };
    continued.add({ sequence, event: { artifactUpdate }, input: null, takeover: null });
    expect(continued.items.find(({ kind }) => kind === 'artifact')).toMatchObject({
      chunks: 301,
      lastSequence: sequence,
    });
    const limited = await view.call('getTimeline', { as, path: { taskId }, query: { limit: '1' } });
    expect(limited.body).toMatchObject({ items: [{ kind: 'state' }], omitted: timeline.items.length - 1 });
  });

  test('has its artifacts in every version, and as files that run nowhere', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'versions');
    await settle(view, as, taskId);
    const path = { taskId, artifactId: 'text' };
    const newest = (await view.call('getArtifact', { as, path })).body;
    expect(newest).toMatchObject({ version: 2, parts: [{ index: 0, size: 3, content: { text: 'new' } }] });
    expect(newest.versions.map(({ version }) => version)).toEqual([1, 2]);
    const first = (await view.call('getArtifact', { as, path, query: { version: '1' } })).body;
    expect(first.parts).toMatchObject([{ content: { text: 'firstsecond' } }]);
    expect((await view.call('getArtifact', { as, path, query: { version: '3' } })).status).toBe(404);

    const text = await view.call('getArtifactContent', { as, path, query: { version: '1' } });
    expect(text.text).toBe('firstsecond');
    expect(text.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''text.txt");
    const html = await view.call('getArtifactContent', {
      as,
      path: { taskId, artifactId: 'file' },
      query: { download: 'false' },
    });
    expect(html.text).toBe('<b>');
    expect(html.headers.get('content-type')).toBe('application/octet-stream');
    expect(html.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A4%22%0A.html");
    expect(html.headers.get('content-security-policy')).toContain('sandbox');
    expect(html.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is sent again, edited, in the same context and with a reference to the first', async () => {
    const view = await startTestConsole();
    const [as, operator] = [await view.key('alice'), await view.key('ops', 'operator')];
    const taskId = await sendText(view, as, 'say one');
    await settle(view, as, taskId);
    const { contextId } = (await view.call('getTask', { as, path: { taskId } })).body;
    const body = { messageId: 'edited', again: taskId, parts: [{ text: 'say two' }] };
    const sent = await view.call('sendMessage', { as: operator, body });
    // It belongs to the owner of the first, not to the operator.
    expect(sent.body.task).toMatchObject({ contextId, owner: { caller: 'key:alice' } });
    expect(view.actions).toMatchObject([{ event: 'console-message-sent' }]);
    const [event] = await view.store.readEvents(sent.body.task?.id ?? '', 0, 1);
    expect(JSON.parse(event?.json ?? '').task.history[0].referenceTaskIds).toEqual([taskId]);
  });

  test('is forked at an event, for its owner, with or without a new message', async () => {
    const view = await startTestConsole();
    const [as, operator] = [await view.key('alice'), await view.key('ops', 'operator')];
    expect((await view.call('getSession', { as })).body.features).toMatchObject({
      fork: true,
      export: false,
    });
    const taskId = await sendText(view, as, 'say one');
    await settle(view, as, taskId);
    const { lastSequence } = (await view.call('getTask', { as, path: { taskId } })).body;
    const body = { sequence: lastSequence, parts: [{ text: 'say two' }] };
    const { task } = (await view.call('forkTask', { as: operator, path: { taskId }, body })).body;
    expect(task).toMatchObject({ owner: { caller: 'key:alice' } });
    expect(view.actions).toMatchObject([{ event: 'console-task-forked', about: { task: taskId } }]);
    await settle(view, as, task.id);
    const { entries } = (await view.call('getConversation', { as, path: { taskId: task.id } })).body;
    expect(entries.filter(({ from }) => from === 'user').map(({ parts }) => parts[0]?.text)).toEqual([
      'say one',
      'say two',
    ]);
    const waiting = await view.call('forkTask', { as, path: { taskId }, body: { sequence: lastSequence } });
    expect(waiting.body.task.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await view.call('forkTask', { as, path: { taskId }, body: { sequence: 999 } })).status).toBe(400);
  });

  test('is exported as the program that mounts the console writes it', async () => {
    const view = await startTestConsole({ exportTask: twoLines });
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'say one');
    const file = await view.call('exportTask', { as, path: { taskId } });
    expect(file.text).toBe(`${taskId}\ndone\n`);
    expect(file.headers.get('content-disposition')).toContain(`${taskId}.jsonl`);
    expect((await view.call('exportTask', { as, path: { taskId: 'none' } })).status).toBe(404);
  });

  test('does not show what only the server needs', async () => {
    const view = await startTestConsole();
    const as = await view.key('alice');
    const taskId = await sendText(view, as, 'say x');
    await settle(view, as, taskId);
    expect((await view.call('getTask', { as, path: { taskId } })).body.metadata).toBeNull();
    const events = await view.call('listEvents', { as, path: { taskId } });
    expect(Object.keys(events.body.events[0] ?? {}).toSorted()).toEqual([
      'event',
      'input',
      'sequence',
      'takeover',
    ]);
    expect(events.text).toContain(RESUME_EXTENSION);
  });
});

describe('changes of the list', () => {
  test('are told as they are committed, to those who may see them', async () => {
    const view = await startTestConsole();
    const [alice, bob, operator] = [
      await view.key('alice'),
      await view.key('bob'),
      await view.key('ops', 'operator'),
    ];
    const stop = new AbortController();
    const seen = new Map<string, string[]>();
    const watch = async (name: string, as: Sender, query = {}): Promise<void> => {
      seen.set(name, []);
      for await (const { data } of readEvents(view.urlOf('watchTasks', {}, query), as, stop.signal)) {
        const change = data as TaskChange;
        seen
          .get(name)
          ?.push(change.type === 'task' ? `${change.task.id} ${change.task.state}` : JSON.stringify(change));
      }
    };
    const watching = [
      watch('alice', alice),
      watch('bob', bob),
      watch('operator', operator),
      watch('failed', operator, { state: 'TASK_STATE_FAILED' }),
      watch('others', alice, { owner: JSON.stringify(['', 'key:bob']) }),
    ].map((each) => each.catch(() => {}));
    // The watchers are there once the server counts them.
    const bobs: string[] = [];
    await expect
      .poll(async () => {
        bobs.push(await sendText(view, bob, 'say hello'));
        return ['bob', 'operator'].every((name) => (seen.get(name)?.length ?? 0) > 0);
      })
      .toBe(true);
    const taskId = await sendText(view, alice, 'say hello');
    const done = `${taskId} TASK_STATE_COMPLETED`;
    await expect.poll(() => seen.get('alice')).toContain(done);
    await expect.poll(() => seen.get('operator')).toContain(done);
    stop.abort();
    await Promise.all(watching);
    expect(seen.get('alice')?.every((text) => text.startsWith(taskId))).toBe(true);
    expect(seen.get('bob')?.every((text) => bobs.some((id) => text.startsWith(id)))).toBe(true);
    expect(seen.get('others')).toEqual([]);
    expect(seen.get('failed')?.every((text) => text.includes('gone'))).toBe(true);
  });
});

test('cancels many tasks and says what became of each', async () => {
  const view = await startTestConsole();
  const as = await view.key('alice');
  const running = await Promise.all(Array.from({ length: 12 }, () => sendText(view, as, 'wait')));
  const ended = await sendText(view, as, 'say x');
  await settle(view, as, ended);
  const { results } = (await view.call('cancelTasks', { as, body: { ids: [...running, ended, 'none'] } }))
    .body;
  expect(results.map(({ outcome }) => outcome)).toEqual([
    ...running.map(() => 'canceled'),
    'already-ended',
    'not-found',
  ]);
});
