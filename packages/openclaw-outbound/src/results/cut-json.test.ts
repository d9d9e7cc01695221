import { expect, test } from 'vitest';
import { cutJson } from './cut-json.ts';
import { rawForPrograms } from './raw-for-programs.ts';

test('a value that fits is unchanged', () => {
  const value = { a: ['b', 1, null, true, { c: 'd' }] };
  expect(cutJson(value, 1_000)).toEqual(value);
});

test('a long string is cut and says by how much', () => {
  expect(cutJson({ id: 't-1', text: 'x'.repeat(1_000) }, 400)).toEqual({
    id: 't-1',
    text: `${'x'.repeat(100)}[cut: 900 more characters]`,
  });
});

test('long lists and objects end with the number of missing items', () => {
  expect(
    cutJson(
      Array.from({ length: 100 }, () => 'abcdefgh'),
      98,
    ),
  ).toEqual([...Array.from({ length: 10 }, () => 'abcdefgh'), '[cut: 90 more items]']);
  expect(cutJson({ a: 'x'.repeat(20), b: 'y'.repeat(20), c: 1 }, 20)).toMatchObject({
    _cut: '1 more fields',
  });
});

test('deep nesting is cut', () => {
  let value: unknown = 'x';
  for (let depth = 0; depth < 1_000; depth += 1) value = [value];
  expect(JSON.stringify(cutJson(value, 1_000_000))).toContain('[cut: 1 more items]');
});

test('raw within the limit is complete', () => {
  expect(rawForPrograms({ kind: 'message' }, 100)).toEqual({ raw: { kind: 'message' } });
});

test('the last event is kept when the events before it are cut', () => {
  const events = Array.from({ length: 100 }, (_, index) => ({
    kind: 'status-update',
    index,
    text: 'x'.repeat(100),
  }));
  const finalEvent = { kind: 'status-update', status: { state: 'completed' }, final: true };
  const { raw, raw_cut: cut } = rawForPrograms({ events, finalEvent }, 2_000);
  expect(raw).toMatchObject({ finalEvent });
  expect(JSON.stringify(raw).length).toBeLessThan(3_000);
  expect(cut).toEqual({ characters: JSON.stringify({ events, finalEvent }).length, limit: 2_000 });
});
