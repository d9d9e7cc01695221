import {
  RESUME_EXTENSION,
  type Message,
  type StreamResponse,
  type Task,
  type TaskState,
} from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { TaskFold } from './task-fold.ts';

const ids = { taskId: 't', contextId: 'c' };

function message(text: string, role: Message['role'] = 'ROLE_USER'): Message {
  return { messageId: text, role, parts: [{ text }] };
}

function newFold(): TaskFold {
  return new TaskFold({
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_SUBMITTED' },
    history: [message('hello')],
  });
}

function status(state: TaskState, text?: string): StreamResponse {
  const said = text === undefined ? {} : { message: message(text, 'ROLE_AGENT') };
  return { statusUpdate: { ...ids, status: { state, ...said } } };
}

function artifact(artifactId: string, text: string, append?: boolean): StreamResponse {
  return {
    artifactUpdate: {
      ...ids,
      artifact: { artifactId, parts: [{ text }] },
      ...(append === undefined ? {} : { append }),
    },
  };
}

function texts(messages: readonly Message[] | undefined): (string | undefined)[] | undefined {
  return messages?.map(({ parts }) => parts[0]?.text);
}

describe('history', () => {
  test('contains what the user sent and what the agent said when it stopped, not its progress', () => {
    const fold = newFold();
    fold.apply(status('TASK_STATE_WORKING', 'thinking'));
    fold.apply(status('TASK_STATE_INPUT_REQUIRED', 'which one?'));
    fold.apply(status('TASK_STATE_WORKING'), { input: message('this one') });
    fold.apply(status('TASK_STATE_AUTH_REQUIRED', 'log in'));
    fold.apply(status('TASK_STATE_WORKING'), { input: message('done') });
    fold.apply(status('TASK_STATE_COMPLETED', 'bye'));
    expect(texts(fold.toTask().history)).toEqual([
      'hello',
      'which one?',
      'this one',
      'log in',
      'done',
      'bye',
    ]);
  });

  test('is cut to the newest messages, and omitted for 0', () => {
    const fold = newFold();
    fold.apply(status('TASK_STATE_COMPLETED', 'bye'));
    expect(texts(fold.toTask(1).history)).toEqual(['bye']);
    expect(texts(fold.toTask(2).history)).toEqual(['hello', 'bye']);
    expect(texts(fold.toTask(10).history)).toEqual(['hello', 'bye']);
    expect(fold.toTask(0)).not.toHaveProperty('history');
  });
});

describe('artifacts', () => {
  test('grow by append, in the order in which they started', () => {
    const fold = newFold();
    fold.apply(artifact('a', '1'));
    fold.apply(artifact('b', '2'));
    fold.apply(artifact('a', '3', true));
    expect(fold.toTask().artifacts).toEqual([
      { artifactId: 'a', parts: [{ text: '13' }] },
      { artifactId: 'b', parts: [{ text: '2' }] },
    ]);
  });

  test('are replaced in their position when they come again without append', () => {
    const fold = newFold();
    fold.apply(artifact('a', '1'));
    fold.apply(artifact('b', '2'));
    fold.apply(artifact('a', '3'));
    fold.apply(artifact('a', '4', true));
    expect(fold.toTask().artifacts).toEqual([
      { artifactId: 'a', parts: [{ text: '34' }] },
      { artifactId: 'b', parts: [{ text: '2' }] },
    ]);
  });

  test('start with an append when there is nothing to append to', () => {
    const fold = newFold();
    fold.apply(artifact('a', '1', true));
    expect(fold.toTask().artifacts).toEqual([{ artifactId: 'a', parts: [{ text: '1' }] }]);
  });

  test('are absent while there are none', () => {
    expect(newFold().toTask()).not.toHaveProperty('artifacts');
  });
});

test('a returned copy is not changed by later events, nor the events by the fold', () => {
  const fold = newFold();
  const begun = artifact('a', '1');
  fold.apply(begun);
  const copy = fold.toTask();
  const before = structuredClone(copy);
  const event = structuredClone(begun);
  fold.apply(artifact('a', '2', true));
  fold.apply(artifact('b', '3'));
  fold.apply(status('TASK_STATE_COMPLETED', 'bye'));
  expect(copy).toEqual(before);
  expect(begun).toEqual(event);
});

test('a snapshot continues to fold like the original', () => {
  const original = newFold();
  original.apply(artifact('a', '1'));
  original.apply(status('TASK_STATE_WORKING'), {
    input: message('more'),
    request: { metadata: { why: 'because' } },
  });
  const restored = TaskFold.fromSnapshot(original.toSnapshot(), original.sequence);
  for (const fold of [original, restored]) {
    fold.apply(artifact('a', '2', true));
    fold.apply(status('TASK_STATE_COMPLETED', 'bye'));
  }
  expect(restored.toTask()).toEqual(original.toTask());
  expect(restored.request).toEqual({ metadata: { why: 'because' } });
});

test('what came with a message belongs only to its turn', () => {
  const fold = new TaskFold(newFold().toTask(), { request: { configuration: { historyLength: 1 } } });
  fold.apply(status('TASK_STATE_INPUT_REQUIRED', 'and?'));
  expect(fold.request).toEqual({ configuration: { historyLength: 1 } });
  fold.apply(status('TASK_STATE_WORKING'), { input: message('more') });
  expect(fold.request).toEqual({});
});

test('the sequence number of the first event is not part of the task', () => {
  const task: Task = { ...newFold().toTask(), metadata: { [RESUME_EXTENSION]: { seq: 1 } } };
  expect(new TaskFold(task).toTask()).not.toHaveProperty('metadata');
  const more = new TaskFold({ ...task, metadata: { ...task.metadata, own: true } });
  expect(more.toTask().metadata).toEqual({ own: true });
});
