import { coreTaskToV03, V03_JSON } from '../legacy/v03-json.ts';
import { V03_PROTO_JSON } from '../legacy/v03-proto-json.ts';
import type { Artifact, Task } from '../model.ts';
import { expect, test } from 'vitest';
import { isLazy, jsonPieces, LazyList, LazyText } from './json.ts';

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function joined(value: unknown): Promise<string> {
  let json = '';
  for await (const piece of jsonPieces(value)) json += piece;
  return json;
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

test('lazy values are recognized where operations return them, and are never written by accident', () => {
  expect([PLAIN, { task: PLAIN }, { tasks: [PLAIN] }, {}, null, 'text'].map(isLazy)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
  expect(isLazy(lazyTask())).toBe(true);
  expect(isLazy({ task: lazyTask() })).toBe(true);
  expect(isLazy({ tasks: [PLAIN, lazyTask()] })).toBe(true);
  expect(() => JSON.stringify(lazyTask())).toThrow('jsonPieces');
});
