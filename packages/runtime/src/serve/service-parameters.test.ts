import { describe, expect, it } from 'vitest';
import { readServiceParameters, withQueryParameters } from './service-parameters.ts';

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

describe('withQueryParameters', () => {
  const query = 'A2A-Version=1.0&A2A-Extensions=urn%3Aone&Last-Event-ID=7&x=1';

  it('reads what an EventSource cannot send as headers', () => {
    const { extensions, resumeAfter } = readServiceParameters(withQueryParameters({}, query));
    expect([[...extensions], resumeAfter]).toEqual([['urn:one'], 7]);
  });

  it('prefers headers, where a browser that reconnects sends its last event ID', () => {
    const headers = { 'last-event-id': '9', 'a2a-extensions': 'urn:two' };
    const { extensions, resumeAfter } = readServiceParameters(withQueryParameters(headers, query));
    expect([[...extensions], resumeAfter]).toEqual([['urn:two'], 9]);
  });

  it('rejects a last event ID that is none', () => {
    expect(() => readServiceParameters(withQueryParameters({}, 'Last-Event-ID=x'))).toThrow(/Last-Event-ID/);
  });

  it('reads no credential and no idempotency key', () => {
    expect(withQueryParameters({}, 'Authorization=Bearer+x&Idempotency-Key=k')).toEqual({});
  });
});
