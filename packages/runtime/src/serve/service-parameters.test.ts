import { describe, expect, it } from 'vitest';
import { readServiceParameters } from './service-parameters.ts';

describe('readServiceParameters', () => {
  it('is empty if no parameter was sent', () => {
    expect(readServiceParameters({})).toEqual({ extensions: new Set() });
  });

  it('joins the extensions of both header names', () => {
    const headers = { 'a2a-extensions': ['urn:a, urn:b'], 'x-a2a-extensions': 'urn:c' };
    expect(readServiceParameters(headers).extensions).toEqual(new Set(['urn:a', 'urn:b', 'urn:c']));
  });

  it.each([
    [{ 'last-event-id': '3' }, 3],
    [{ 'holdword-resume-after': '0' }, 0],
    [{ 'last-event-id': '4', 'holdword-resume-after': '9' }, 4],
    [{ 'last-event-id': '' }, undefined],
  ])('reads the cursor of %j', (headers, cursor) => {
    expect(readServiceParameters(headers).resumeAfter).toBe(cursor);
  });

  it.each(['', 'has space', 'ü', 'k'.repeat(256)])('rejects the idempotency key "%s"', (key) => {
    expect(() => readServiceParameters({ 'idempotency-key': key })).toThrow('Idempotency-Key');
  });
});
