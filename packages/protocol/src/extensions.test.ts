import { describe, expect, it } from 'vitest';
import { parseExtensions } from './extensions.ts';

describe('parseExtensions', () => {
  it('reads a comma-separated list', () => {
    expect(parseExtensions(' urn:a , https://b.example/x ,,')).toEqual(
      new Set(['urn:a', 'https://b.example/x']),
    );
  });

  it('merges several values and drops duplicates', () => {
    expect(parseExtensions(['urn:a', 'urn:b,urn:a'], 'urn:c')).toEqual(new Set(['urn:a', 'urn:b', 'urn:c']));
  });

  it.each([undefined, null, ''])('finds nothing in %j', (value) => {
    expect(parseExtensions(value)).toEqual(new Set());
  });
});
