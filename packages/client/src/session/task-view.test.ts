import { RESUME_EXTENSION, type StreamResponse, type Task, type TaskStatus } from '@holdword/protocol';
import { array, assert, constant, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import type { PeerEvent } from '../peers/peer.ts';
import { questionOf } from './answered-question.ts';
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

test('a question without a time is new if the task has changed meanwhile, or if it arrives as an event', () => {
  const asked: TaskStatus = {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which?' }] },
  };
  const snapshot = { event: { task: { ...START, status: asked } } };
  const answered = (): TaskView => {
    const view = new TaskView({ ...START, status: asked });
    view.markAnswered(questionOf(asked));
    view.apply(snapshot);
    expect(view.isSettled).toBe(false);
    return view;
  };
  const changed = answered();
  changed.apply({ event: { task: START } });
  changed.apply(snapshot);
  expect(changed.isSettled).toBe(true);
  const told = answered();
  told.apply({ event: { statusUpdate: { ...ids, status: asked } } });
  expect(told.isSettled).toBe(true);
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

/** The journal as a peer of A2A 1.1 without the resume extension sends it. */
function counted(generations: readonly (number | undefined)[]): PeerEvent[] {
  return JOURNAL.slice(1, generations.length + 1).map((event, index) => {
    const generation = generations[index];
    return generation === undefined ? { event } : { event, generation };
  });
}

const NUMBERED: Task = { ...START, generation: '1' };

test('generations are counted, and do not stay in the task', () => {
  const view = new TaskView(NUMBERED);
  for (const event of counted([2, 3, 4])) expect(view.apply(event)).toBe(true);
  expect(view).toMatchObject({ generation: 4, isGapped: false });
  expect(view.toTask()).not.toHaveProperty('generation');
});

test('a generation that is skipped is a gap, until the task is fetched', () => {
  const view = new TaskView(NUMBERED);
  const [first, second] = counted([2, 4]) as [PeerEvent, PeerEvent];
  view.apply(first);
  expect(view.isGapped).toBe(false);
  view.apply(second);
  expect(view.isGapped).toBe(true);
  view.replace({ ...whole(), generation: '6' });
  expect(view).toMatchObject({ generation: 6, isGapped: false });
});

test('events that a fetched task has already are skipped', () => {
  const view = new TaskView(NUMBERED);
  const [first, second, third, fourth] = counted([3, 4, 5, 6]) as [
    PeerEvent,
    PeerEvent,
    PeerEvent,
    PeerEvent,
  ];
  view.apply(first);
  view.replace({ ...START, generation: '5' });
  const artifacts = view.toTask().artifacts;
  expect([second, third].map((event) => view.apply(event))).toEqual([false, false]);
  expect(view.toTask().artifacts).toEqual(artifacts);
  expect(view.apply(fourth)).toBe(true);
  expect(view).toMatchObject({ generation: 6, isGapped: false });
});

test.each([
  ['is the same for all events', [1, 1, 1, 1]],
  ['is the same for two events', [2, 3, 3, 4]],
  ['goes back', [2, 3, 2, 3]],
])(
  'a generation that %s is not believed: the task is fetched, and events are taken in their order',
  (_, given) => {
    const view = new TaskView(NUMBERED);
    const events = counted(given);
    const taken = events.map((event) => {
      const isNew = view.apply(event);
      if (view.isGapped) view.replace({ ...START, generation: '1' });
      return isNew;
    });
    expect(view).toMatchObject({ generation: undefined, isGapped: false });
    expect(taken.at(-1)).toBe(true);
    expect(view.apply({ event: JOURNAL.at(-1) as StreamResponse, generation: 1 })).toBe(true);
    expect(view.isSettled).toBe(true);
  },
);

test('a peer whose generations have gaps all the time is not asked for the task each time', () => {
  const view = new TaskView(NUMBERED);
  let fetched = 0;
  for (const event of counted([3, 5, 7, 9, 11, 13, 15, 17, 19])) {
    view.apply(event);
    if (!view.isGapped) continue;
    fetched += 1;
    view.replace({ ...START, generation: String(event.generation) });
  }
  expect(fetched).toBe(6);
  expect(view.generation).toBeUndefined();
});

test('a peer that sends 0, or no generation, has none', () => {
  expect(new TaskView({ ...START, generation: '0' }).generation).toBeUndefined();
  const view = new TaskView(NUMBERED);
  for (const event of counted([2, undefined, undefined])) expect(view.apply(event)).toBe(true);
  expect(view).toMatchObject({ generation: undefined, isGapped: false });
});
