import { describe, expect, test } from 'vitest';
import { SeenTask } from './seen-task.ts';

const RESUME = 'urn:holdword:a2a:resume:v1';

function task(text: string, state = 'TASK_STATE_WORKING', more: object = {}) {
  const artifacts = text === '' ? [] : [{ artifactId: 'a', name: 'notes', parts: [{ text }] }];
  return { json: { task: { id: 't', contextId: 'c', status: { state }, artifacts, ...more } } };
}

function chunk(text: string, sequence?: number) {
  return {
    json: {
      artifactUpdate: {
        taskId: 't',
        contextId: 'c',
        append: true,
        artifact: { artifactId: 'a', parts: [{ text }] },
        ...(sequence !== undefined && { metadata: { [RESUME]: { seq: sequence } } }),
      },
    },
  };
}

describe('an agent that does not number its events', () => {
  test('begins a new stream with the whole task, of which only the rest is news', () => {
    const seen = new SeenTask({ resumes: false });
    expect(seen.take(task('one '))?.news).toHaveLength(1);
    expect(seen.take(chunk('two '))?.news).toEqual([chunk('two ').json]);
    expect(seen.take(task('one two '))).toBeUndefined();
    const later = task('one two three', 'TASK_STATE_COMPLETED');
    expect(seen.take(later)).toMatchObject({
      json: later.json,
      news: [
        { artifactUpdate: { append: true, artifact: { artifactId: 'a', parts: [{ text: 'three' }] } } },
        { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_COMPLETED' } } },
      ],
    });
  });

  test('may join the pieces of a text or keep them apart', () => {
    const seen = new SeenTask({ resumes: false });
    seen.take(task('one '));
    seen.take(chunk('two'));
    const apart = { artifacts: [{ artifactId: 'a', parts: [{ text: 'one ' }, { text: 'two' }] }] };
    expect(seen.take(task('', 'TASK_STATE_WORKING', apart))).toBeUndefined();
  });

  test('may replace an artifact, which is then shown whole', () => {
    const seen = new SeenTask({ resumes: false });
    seen.take(task('draft'));
    expect(seen.take(task('final'))?.news).toMatchObject([
      { artifactUpdate: { append: false, artifact: { parts: [{ text: 'final' }] } } },
    ]);
  });
});

test('an agent that numbers its events repeats none', () => {
  const seen = new SeenTask({ resumes: true });
  seen.take(task('', 'TASK_STATE_SUBMITTED', { metadata: { [RESUME]: { seq: 1 } } }));
  expect(seen.take(chunk('one', 2))).toBeDefined();
  expect(seen.sequence).toBe(2);
  expect(seen.take(chunk('one', 2))).toBeUndefined();
  const partial = task('', 'TASK_STATE_WORKING', { metadata: { [RESUME]: { seq: 2, partial: true } } });
  expect(seen.take(partial)).toBeUndefined();
  expect(seen.take(chunk('two', 3))).toBeDefined();
});
