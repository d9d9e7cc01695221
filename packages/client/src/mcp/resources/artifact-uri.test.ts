import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { artifactUri, parseArtifactUri } from './artifact-uri.ts';

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
