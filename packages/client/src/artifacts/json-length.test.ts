import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJsonLength, prettyJsonLength, readableLength } from './json-length.ts';
import { jsonPrefix } from './shorten.ts';

const anyJson = fc.jsonValue({ stringUnit: 'binary' });

describe('the length of JSON', () => {
  it('equals the length of the JSON', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(compactJsonLength(value)).toBe(JSON.stringify(value).length);
        expect(prettyJsonLength(value)).toBe(JSON.stringify(value, null, 2).length);
      }),
    );
  });

  it('equals the length of the JSON for values that JSON converts', () => {
    const value = {
      gone: undefined,
      list: [undefined, Number.NaN, -0, 1e21],
      nested: { empty: {}, none: [] },
    };
    expect(compactJsonLength(value)).toBe(JSON.stringify(value).length);
    expect(prettyJsonLength(value)).toBe(JSON.stringify(value, null, 2).length);
  });

  it('is Infinity above the limit', () => {
    fc.assert(
      fc.property(anyJson, fc.nat(100), (value, limit) => {
        const { length } = JSON.stringify(value, null, 2);
        expect(prettyJsonLength(value, limit)).toBe(length <= limit ? length : Infinity);
      }),
    );
  });

  it('is the length of the string itself for a string', () => {
    expect(readableLength('a "b"')).toBe(5);
    expect(readableLength('abc', 2)).toBe(Infinity);
  });
});

describe('jsonPrefix', () => {
  it('is the beginning of the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 100 }), (value, length) => {
        expect(jsonPrefix(value, length)).toBe(JSON.stringify(value).slice(0, length));
      }),
    );
  });
});
