import type { Message, StreamResponse, Task, TaskState } from '@holdword/protocol';
import { expect, test } from 'vitest';
import type { RecordedEvent } from './recording-format.ts';
import { TaskTrace } from './task-trace.ts';

const ids = { taskId: 't', contextId: 'c' };
const input: Message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };

function task(state: TaskState, more: Partial<Task> = {}): StreamResponse {
  return { task: { id: 't', contextId: 'c', status: { state }, ...more } };
}

function status(state: TaskState, seq?: number): StreamResponse {
  const metadata = seq === undefined ? {} : { metadata: { 'urn:holdword:a2a:resume:v1': { seq } } };
  return { statusUpdate: { ...ids, status: { state }, ...metadata } };
}

function chunk(text: string, append = true): StreamResponse {
  return { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append } };
}

function outline(events: readonly RecordedEvent[]): string[] {
  return events.map(({ sequence, event, input: said }) =>
    [sequence, Object.keys(event)[0], said && 'input'].filter((word) => word !== undefined).join(' '),
  );
}

test('the events of a stream are recorded as they are', () => {
  const trace = new TaskTrace();
  const stream = {};
  const events = [
    ...trace.add(task('TASK_STATE_SUBMITTED'), input, stream),
    ...trace.add(status('TASK_STATE_WORKING'), undefined, stream),
    ...trace.add(chunk('one', false), undefined, stream),
    ...trace.add(chunk(' two'), undefined, stream),
    ...trace.add(status('TASK_STATE_COMPLETED'), undefined, stream),
  ];
  expect(outline(events)).toEqual([
    '1 task input',
    '2 statusUpdate',
    '3 artifactUpdate',
    '4 artifactUpdate',
    '5 statusUpdate',
  ]);
});

test('a task that was seen before adds only what is new', () => {
  const trace = new TaskTrace();
  const stream = {};
  trace.add(task('TASK_STATE_SUBMITTED'), input, stream);
  trace.add(chunk('one', false), undefined, stream);
  trace.add(chunk(' two'), undefined, stream);
  const same = { artifacts: [{ artifactId: 'a', parts: [{ text: 'one two' }] }] };
  expect(trace.add(task('TASK_STATE_SUBMITTED', same))).toEqual([]);
  expect(outline(trace.add(task('TASK_STATE_COMPLETED', same)))).toEqual(['4 statusUpdate']);
  const changed = { artifacts: [{ artifactId: 'a', parts: [{ text: 'one three' }] }] };
  expect(outline(trace.add(task('TASK_STATE_COMPLETED', changed)))).toEqual(['5 artifactUpdate']);
});

test('what a second client sees at the same time is not recorded twice', () => {
  const trace = new TaskTrace();
  const [one, two] = [{}, {}];
  trace.add(task('TASK_STATE_WORKING'), input, one);
  expect(trace.add(task('TASK_STATE_WORKING'), undefined, two)).toEqual([]);
  expect(trace.add(chunk('x', false), undefined, one)).toHaveLength(1);
  expect(trace.add(chunk('x', false), undefined, two)).toEqual([]);
  trace.end(one);
  expect(outline(trace.add(chunk('y'), undefined, two))).toEqual(['3 artifactUpdate']);
});

test('events that the agent numbers are recorded once, on whatever stream they arrive', () => {
  const trace = new TaskTrace();
  trace.add(task('TASK_STATE_SUBMITTED'), input, {});
  expect(trace.add(status('TASK_STATE_WORKING', 2), undefined, {})).toHaveLength(1);
  expect(trace.add(status('TASK_STATE_WORKING', 2), undefined, {})).toEqual([]);
  expect(trace.add(status('TASK_STATE_COMPLETED', 3), undefined, {})).toHaveLength(1);
});

test('the answer to a question belongs to the first event that follows', () => {
  const trace = new TaskTrace();
  const stream = {};
  trace.add(task('TASK_STATE_INPUT_REQUIRED'), input, stream);
  expect(trace.add(task('TASK_STATE_INPUT_REQUIRED'), { ...input, messageId: 'n' }, stream)).toEqual([]);
  const [next] = trace.add(status('TASK_STATE_WORKING'), undefined, stream);
  expect(next).toMatchObject({ sequence: 2, input: { messageId: 'n' } });
});

test('an event of a task that was never seen is left out', () => {
  expect(new TaskTrace().add(status('TASK_STATE_WORKING'))).toEqual([]);
});
