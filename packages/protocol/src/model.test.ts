import { describe, expect, it } from 'vitest';
import { RESUME_EXTENSION } from './extensions.ts';
import {
  applyArtifactUpdate,
  artifactsById,
  isBase64,
  type Part,
  type Task,
  toStandardBase64,
  withoutSequence,
} from './model.ts';

describe('isBase64', () => {
  it.each(['', 'aGk=', 'aGk', '+/+/', '-_-_', 'QQ=='])('accepts %j', (value) => {
    expect(isBase64(value)).toBe(true);
  });

  it.each(['a', 'aGk==', 'a=b=', 'not base64!', 'aGkx=', '===='])('rejects %j', (value) => {
    expect(isBase64(value)).toBe(false);
  });
});

describe('toStandardBase64', () => {
  it('converts the URL-safe alphabet to the standard one and pads', () => {
    expect(toStandardBase64('-_8')).toBe('+/8=');
    expect(toStandardBase64('QQ')).toBe('QQ==');
  });

  it('does not change the standard form', () => {
    expect(toStandardBase64('aGk=')).toBe('aGk=');
    expect(toStandardBase64('')).toBe('');
  });
});

function task(): Task {
  return {
    id: 't-1',
    contextId: 'c-1',
    status: { state: 'TASK_STATE_WORKING' },
    artifacts: [
      { artifactId: 'a', parts: [{ text: '1' }] },
      { artifactId: 'b', parts: [{ text: '1' }] },
    ],
  };
}

function grown(artifactId: string, append?: boolean): string[] | undefined {
  const growing = task();
  const artifact = { artifactId, parts: [{ text: '2' }] };
  applyArtifactUpdate(growing, artifactsById(growing), {
    taskId: 't-1',
    contextId: 'c-1',
    artifact,
    ...(append !== undefined && { append }),
  });
  return growing.artifacts?.map((each) => `${each.artifactId}${each.parts.map(({ text }) => text).join('')}`);
}

describe('an artifact update', () => {
  it('appends', () => expect(grown('a', true)).toEqual(['a12', 'b1']));
  it('replaces an artifact at its index', () => expect(grown('a')).toEqual(['a2', 'b1']));
  it('adds a new artifact, even with append', () => expect(grown('c', true)).toEqual(['a1', 'b1', 'c2']));

  it('does not change its own parts', () => {
    const growing: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
    const byId = artifactsById(growing);
    const update = { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: '1' }] } };
    applyArtifactUpdate(growing, byId, update);
    applyArtifactUpdate(growing, byId, { ...update, append: true });
    expect(update.artifact.parts).toEqual([{ text: '1' }]);
    expect(growing.artifacts?.[0]?.parts).toEqual([{ text: '11' }]);
  });

  it('continues a text, and keeps parts with more fields separate', () => {
    const growing = task();
    const byId = artifactsById(growing);
    const append = (...parts: Part[]): void =>
      applyArtifactUpdate(growing, byId, {
        taskId: 't-1',
        contextId: 'c-1',
        artifact: { artifactId: 'a', parts },
        append: true,
      });
    const before = growing.artifacts?.[0]?.parts.slice();
    append({ text: '2' }, { text: '3' });
    append({ data: { number: 4 } });
    append({ text: '5', mediaType: 'text/markdown' }, { text: '6' });
    append({ text: '7' });
    expect(growing.artifacts?.[0]?.parts).toEqual([
      { text: '123' },
      { data: { number: 4 } },
      { text: '5', mediaType: 'text/markdown' },
      { text: '67' },
    ]);
    expect(before).toEqual([{ text: '1' }]);
  });
});

describe('the sequence number of the first event', () => {
  it('is the only thing that is removed', () => {
    expect(
      withoutSequence({ ...task(), metadata: { [RESUME_EXTENSION]: { seq: 1 }, own: 2 } }).metadata,
    ).toEqual({
      own: 2,
    });
    expect(withoutSequence({ ...task(), metadata: { [RESUME_EXTENSION]: { seq: 1 } } })).not.toHaveProperty(
      'metadata',
    );
    const plain = task();
    expect(withoutSequence(plain)).toBe(plain);
  });
});
