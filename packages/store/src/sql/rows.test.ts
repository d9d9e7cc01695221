import { describe, expect, it } from 'vitest';
import { entriesToRows, fromDatabaseText, rowToEvents, rowToStatusEvent, toDatabaseText } from './rows.ts';

const SORTED = [
  '',
  '\0',
  '\0\0',
  '\0\u0001',
  '\0\u0003',
  '\u0001',
  '\u0001\0',
  '\u0001\u0002',
  '\u0002',
  'a\0b',
  'a\u0001',
];

it.each(['plain', 'Grüße 👩‍🚀', 'a\0b\u0001\u0001c', '\0\u0001\u0003\0', ...SORTED])(
  'stores %j without a NUL and restores it',
  (text) => {
    const stored = toDatabaseText(text);
    expect(stored).not.toContain('\0');
    expect(fromDatabaseText(stored)).toBe(text);
  },
);

it('keeps the order of texts', () => {
  expect(SORTED.map(toDatabaseText).toSorted()).toEqual(SORTED.map(toDatabaseText));
});

it('replaces unpaired surrogates, which no database text can hold', () => {
  expect(toDatabaseText('a\ud800b')).toBe('a\ufffdb');
});

describe('journal rows', () => {
  it('store an append in one row, byte for byte', () => {
    const entries = [
      { json: '{"a":1.0}', internal: '[1]', changesStatus: true },
      { json: '{"b":2}', changesStatus: true },
      { json: '{"c":3}', internal: '[3]' },
      { json: '{"d":4}' },
    ];
    const rows = entriesToRows(entries);
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row?.slice(0, 2)).toEqual([4, 1]);
    expect(rowToEvents(11, row?.[2] ?? '')).toEqual([
      { sequence: 11, json: '{"a":1.0}', internal: '[1]' },
      { sequence: 12, json: '{"b":2}' },
      { sequence: 13, json: '{"c":3}', internal: '[3]' },
      { sequence: 14, json: '{"d":4}' },
    ]);
  });

  it('split an append that has many or large events', () => {
    const many = Array.from({ length: 600 }, () => ({ json: '{}' }));
    expect(entriesToRows(many).map(([count]) => count)).toEqual([256, 256, 88]);
    const large = Array.from({ length: 5 }, () => ({ json: `"${'x'.repeat(100_000)}"` }));
    expect(entriesToRows(large).map(([count]) => count)).toEqual([2, 2, 1]);
    const huge = [{ json: '1' }, { json: `"${'x'.repeat(500_000)}"` }, { json: '3' }];
    expect(entriesToRows(huge).map(([count]) => count)).toEqual([1, 1, 1]);
  });

  it('find the newest status at or before a sequence number', () => {
    const [row] = entriesToRows([
      { json: '"s"' },
      { json: '1', changesStatus: true },
      { json: '2', internal: '"s"' },
      { json: '3', changesStatus: true },
    ]);
    const lines = row?.[2] ?? '';
    const found = [0, 5, 6, 7, 8, 20].map((sequence) => rowToStatusEvent(5, lines, sequence)?.sequence);
    expect(found).toEqual([undefined, undefined, 6, 6, 8, 8]);
  });
});
