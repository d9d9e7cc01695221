import { RESUME_EXTENSION, type StreamResponse, type Task } from '@holdword/protocol';
import { array, assert, constant, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import type { PeerEvent } from '../peers/peer.ts';
import { TaskView } from './task-view.ts';

const ids = { taskId: 't-1', contextId: 'c-1' };
const START: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_SUBMITTED' } };
const LENGTH = 20;

/** The first event is the task and the last one its end, with chunks of two artifacts in between. */
const JOURNAL: StreamResponse[] = [
  { task: START },
  ...Array.from({ length: LENGTH - 2 }, (_, index): StreamResponse => ({
    artifactUpdate: {
      ...ids,
      artifact: { artifactId: index % 3 === 0 ? 'a' : 'b', parts: [{ text: String(index) }] },
      append: index > 2,
    },
  })),
  {
    statusUpdate: {
      ...ids,
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'done' }] },
      },
    },
  },
];

function numbered(from: number): PeerEvent[] {
  return JOURNAL.slice(from).map((event, index) => ({ event, sequence: from + index + 1 }));
}

function whole(): Task {
  const view = new TaskView(START, 1);
  for (const event of numbered(1)) view.apply(event);
  return view.toTask();
}

test('events build the task', () => {
  const task = whole();
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['a', 'b']);
  expect(task.artifacts?.map(({ parts }) => parts)).toEqual([
    [{ text: '03691215' }],
    [{ text: '24578101113141617' }],
  ]);
  expect(task.history).toEqual([{ messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'done' }] }]);
});

test('each event is applied once, however often a stream is cut and resumed', () => {
  // Where each stream starts, at our cursor or before it, and how much of it arrives.
  const cuts = array(tuple(integer({ min: 0, max: 5 }), integer({ min: 0, max: 8 })), { maxLength: 30 });
  assert(
    property(cuts, constant(whole()), (streams, expected) => {
      const view = new TaskView(START, 1);
      for (const [back, length] of [...streams, [3, LENGTH] as const]) {
        const from = Math.max(1, (view.sequence ?? 1) - back);
        const partial = { ...START, metadata: { [RESUME_EXTENSION]: { seq: from, partial: true } } };
        view.apply({ event: { task: partial }, sequence: from });
        for (const event of numbered(from).slice(0, length)) view.apply(event);
      }
      expect(view.toTask()).toEqual(expected);
    }),
  );
});

test('a snapshot without sequence numbers replaces the view', () => {
  const view = new TaskView(START);
  for (const event of JOURNAL.slice(1, 5)) view.apply({ event });
  view.apply({ event: { task: { ...START, artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] } } });
  expect(view.toTask().artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'x' }] }]);
});

test('a snapshot after a gap replaces the view', () => {
  const view = new TaskView(START, 1);
  const metadata = { [RESUME_EXTENSION]: { seq: 9, gap: { from: 2, to: 8 } }, own: 1 };
  expect(view.apply({ event: { task: { ...START, metadata } }, sequence: 9 })).toBe(true);
  expect(view.sequence).toBe(9);
  expect(view.toTask()).toEqual({ ...START, metadata: { own: 1 } });
});

test('an older snapshot changes nothing, and a repeated one is not new', () => {
  const view = new TaskView(START, 5);
  expect(view.apply({ event: { task: START }, sequence: 4 })).toBe(false);
  expect(view.apply({ event: { task: START }, sequence: 5 })).toBe(false);
  expect(view.sequence).toBe(5);
});

test('returned tasks do not change with later events', () => {
  const view = new TaskView(START, 1);
  for (const event of numbered(1).slice(0, 5)) view.apply(event);
  const early = view.toTask();
  const copy = structuredClone(early);
  for (const event of numbered(6)) view.apply(event);
  expect(early).toEqual(copy);
});

test('a task is not settled by a question that was answered', () => {
  const asked = { state: 'TASK_STATE_INPUT_REQUIRED', timestamp: '2026-01-31T12:00:00.000Z' } as const;
  const view = new TaskView({ ...START, status: asked });
  view.markAnswered(asked);
  expect(view.isSettled).toBe(false);
  view.apply({ event: { task: { ...START, status: asked } } });
  expect(view.isSettled).toBe(false);
  const askedAgain = { ...asked, timestamp: '2026-01-31T12:00:01.000Z' };
  view.apply({ event: { statusUpdate: { ...ids, status: askedAgain } } });
  expect(view.isSettled).toBe(true);
});

test.each([
  ['TASK_STATE_WORKING', false],
  ['TASK_STATE_INPUT_REQUIRED', true],
  ['TASK_STATE_AUTH_REQUIRED', true],
  ['TASK_STATE_REJECTED', true],
] as const)('%s is settled: %s', (state, settled) => {
  expect(new TaskView({ ...START, status: { state } }).isSettled).toBe(settled);
});

test('artifacts without content, of which there may be any number, are not free', () => {
  const view = new TaskView(START, undefined, 100_000);
  for (let index = 0; index < 1_000; index += 1) {
    view.apply({ event: { artifactUpdate: { ...ids, artifact: { artifactId: `${index}`, parts: [] } } } });
  }
  expect(view.isIncomplete).toBe(true);
  expect(view.toTask().artifacts?.length).toBeLessThan(101);
});

test('names, descriptions and metadata of artifacts count', () => {
  const long = 'x'.repeat(1_000);
  for (const fields of [
    { name: long },
    { description: long },
    { metadata: { long } },
    { extensions: [long] },
  ]) {
    const view = new TaskView(START, undefined, 1_500);
    view.apply({
      event: { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [], ...fields } } },
    });
    expect(view.isIncomplete, JSON.stringify(Object.keys(fields))).toBe(true);
  }
});
