import { coreTaskToV03, V03_JSON } from '../legacy/v03-json.ts';
import { V03_PROTO_JSON } from '../legacy/v03-proto-json.ts';
import type { Artifact, Task } from '../model.ts';
import { expect, test } from 'vitest';
import { isLazy, jsonPieces, LazyList, LazyText, withoutLazy } from './json.ts';

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function joined(value: unknown): Promise<string> {
  let json = '';
  for await (const piece of jsonPieces(value)) json += piece;
  return json;
}

async function countOf(value: unknown): Promise<number> {
  let count = 0;
  for await (const _ of jsonPieces(value)) count += 1;
  return count;
}

const PLAIN: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING' },
  artifacts: [
    { artifactId: 'a', parts: [{ text: 'say "one"\n😀 and two' }, { data: [1, { two: null }] }] },
    { artifactId: 'b', name: 'second', parts: [{ raw: 'AAAA', mediaType: 'image/png', filename: 'x.png' }] },
  ],
  history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] }],
};

/** The same task with lazy lists, and a text that is cut in the middle of a character. */
function lazyTask(): Task {
  const [first, second] = PLAIN.artifacts as [Artifact, Artifact];
  const text = new LazyText(each('say "one"\n\ud83d', '\ude00 and', '', ' two'));
  const parts = new LazyList(each<unknown>({ text }, first.parts[1]));
  return {
    ...PLAIN,
    artifacts: new LazyList(each<unknown>({ ...first, parts }, second)),
    history: new LazyList(each(...(PLAIN.history ?? []))),
  } as unknown as Task;
}

test('a lazy task is the same JSON in pieces, alone, in an answer and in a page', async () => {
  expect(JSON.parse(await joined(lazyTask()))).toEqual(PLAIN);
  expect(JSON.parse(await joined({ task: lazyTask() }))).toEqual({ task: PLAIN });
  const page = { tasks: [PLAIN, lazyTask()], nextPageToken: '', pageSize: undefined };
  expect(JSON.parse(await joined(page))).toEqual({ tasks: [PLAIN, PLAIN], nextPageToken: '' });
});

test('the codecs of 0.3 convert it like any other', async () => {
  expect(JSON.parse(await joined(coreTaskToV03(lazyTask())))).toEqual(coreTaskToV03(PLAIN));
  for (const codec of [V03_JSON, V03_PROTO_JSON]) {
    for (const kind of ['sendResponse', 'events'] as const) {
      const expected = codec.values[kind].toV03({ task: PLAIN });
      expect(JSON.parse(await joined(codec.values[kind].toV03({ task: lazyTask() })))).toEqual(expected);
    }
  }
});

test('what is empty or not lazy is written as it is', async () => {
  expect(await joined({ list: new LazyList(each()), text: new LazyText(each()) })).toBe(
    '{"list":[],"text":""}',
  );
  expect(await joined(PLAIN)).toBe(JSON.stringify(PLAIN));
});

test('a long text is written in pieces that take little time each, and none splits a character', async () => {
  const text = `${'x'.repeat(64 * 1024 - 1)}${'😀"'.repeat(100_000)}\ud83d`;
  const task = { ...PLAIN, artifacts: [{ artifactId: 'a', parts: [{ text }, { data: { text } }] }] };
  const pieces: string[] = [];
  for await (const piece of jsonPieces({ tasks: [task] })) pieces.push(piece);
  expect(pieces.join('')).toBe(JSON.stringify({ tasks: [task] }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(128 * 1024);
});

test('a list of many short values is one piece, and a page of many tasks is not', async () => {
  expect(await countOf({ data: Array.from({ length: 100_000 }, (_, index) => index) })).toBeLessThan(10);
  const tasks = Array.from({ length: 100 }, () => ({ ...PLAIN, metadata: { text: 'x'.repeat(4_000) } }));
  expect(await countOf({ tasks })).toBeGreaterThan(100);
  expect(await joined({ tasks })).toBe(JSON.stringify({ tasks }));
});

test('a lazy value is loaded into memory, and each part is counted before the next is read', async () => {
  expect(await withoutLazy({ task: lazyTask() }, () => {})).toEqual({ task: PLAIN });
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      read += 1;
      yield 'x'.repeat(1_000);
    }
  }
  let left = 10_000;
  const loading = withoutLazy(new LazyText(endless()), (characters) => {
    left -= characters;
    if (left < 0) throw new Error('too much');
  });
  await expect(loading).rejects.toThrow('too much');
  expect(read).toBe(11);
});

test('lazy values are recognized where operations return them, and are never written by accident', () => {
  expect([PLAIN, { task: PLAIN }, { tasks: [PLAIN] }, {}, null, 'text'].map(isLazy)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
  expect(isLazy(lazyTask())).toBe(true);
  expect(isLazy({ task: lazyTask() })).toBe(true);
  expect(isLazy({ tasks: [PLAIN, lazyTask()] })).toBe(true);
  expect(() => JSON.stringify(lazyTask())).toThrow('jsonPieces');
});
