import { describe, expect, it } from 'vitest';
import { generationOf, generationOfEvent, withGeneration } from './generation.ts';
import type { StreamResponse } from './model.ts';

const status = { state: 'TASK_STATE_WORKING' } as const;
const metadata = { text: 'ends with }}', nested: { deep: {} } };
const EVENTS: readonly StreamResponse[] = [
  { task: { id: 't', contextId: 'c', status } },
  { task: { id: 't', contextId: 'c', status, metadata } },
  { statusUpdate: { taskId: 't', contextId: 'c', status } },
  {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ text: '}}' }] },
      metadata,
    },
  },
];

describe('withGeneration', () => {
  it.each(EVENTS)('adds one field to the message in %j', (event) => {
    const numbered = JSON.parse(withGeneration(JSON.stringify(event), 12)) as StreamResponse;
    const [[name, content]] = Object.entries(event) as [[string, object]];
    expect(numbered).toEqual({ [name]: { ...content, generation: '12' } });
    expect(generationOfEvent(numbered)).toBe(12);
  });
});

describe('generationOf', () => {
  it.each([
    [{ generation: '1' }, 1],
    [{ generation: '900719925474099' }, 900719925474099],
    [{ generation: '0' }, undefined],
    [{ generation: '-1' }, undefined],
    [{ generation: 'x' }, undefined],
    [{ generation: '9223372036854775807' }, undefined],
    [{}, undefined],
  ])('of %j is %s', (value, expected) => {
    expect(generationOf(value)).toBe(expected);
  });
});
