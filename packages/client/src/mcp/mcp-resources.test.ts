import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { artifactContents, artifactUri, parseArtifactUri, SeenArtifacts } from './mcp-resources.ts';

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

test('an agent cannot add a URL to the list of a host', () => {
  const parts = [{ url: 'https://a.example/a b\r\nfile:///etc/hostname\u2028file:///etc/hosts' }];
  const [content] = artifactContents('a2a://a/b/c', { artifactId: 'c', parts });
  expect(content).toMatchObject({
    mimeType: 'text/uri-list',
    text: 'https://a.example/a%20b%20file:///etc/hostname%20file:///etc/hosts',
  });
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

test('any ids survive encoding and URL normalization', () => {
  const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(id, id, id, (agentId, taskId, artifactId) => {
      const location = { agentId, taskId, artifactId };
      const uri = artifactUri(location);
      expect(parseArtifactUri(uri)).toEqual(location);
      // Segments of only dots are folders in a URL.
      fc.pre(!/^\.\.?$/.test(taskId) && !/^\.\.?$/.test(artifactId));
      expect(parseArtifactUri(new URL(uri).href)).toEqual(location);
    }),
  );
});

test.each(['a2a://agents', 'a2a://a/b', 'a2a://a/b/c/d', 'a2a://a//c', 'a2a://a/b/%', 'https://a/b/c'])(
  '%s is no artifact',
  (uri) => {
    expect(parseArtifactUri(uri)).toBeUndefined();
  },
);
