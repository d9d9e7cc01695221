import { expect, test } from 'vitest';
import { SeenArtifacts } from './seen-artifacts.ts';

function task(id: string, ...artifactIds: string[]): Record<string, unknown> {
  return {
    kind: 'task',
    id,
    artifacts: artifactIds.map((artifactId) => ({ artifactId, name: null, description: null })),
  };
}

test('lists newest first, without duplicates', () => {
  const seen = new SeenArtifacts();
  seen.record('agent', task('t', 'a', 'b'));
  seen.record('agent', task('t', 'a'));
  expect(seen.list().map(({ uri, name }) => [uri, name])).toEqual([
    ['a2a://agent/t/a', 'a'],
    ['a2a://agent/t/b', 'b'],
  ]);
});

test('ignores other results', () => {
  const seen = new SeenArtifacts();
  seen.record(undefined, task('t', 'a'));
  seen.record('agent', { error: true, error_message: 'no' });
  seen.record('agent', { kind: 'message', parts: [] });
  expect(seen.list()).toEqual([]);
});

test('keeps only the most recent ones', () => {
  const seen = new SeenArtifacts();
  for (let number = 0; number < 300; number += 1) seen.record('agent', task(`t${number}`, 'a', 'b'));
  expect(seen.list()).toHaveLength(200);
  expect(seen.list()[0]?.taskId).toBe('t299');
});
