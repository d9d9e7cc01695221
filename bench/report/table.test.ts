import { describe, expect, it } from 'vitest';
import { formatNumber, formatShare, formatTable } from './table.ts';

describe('formatTable', () => {
  it('aligns names to the left and figures to the right', () => {
    const table = formatTable(
      ['peer', 'requests/s'],
      [
        ['a long name', '12'],
        ['b', '1,234,567'],
      ],
    );
    expect(table).toBe(
      [
        'peer         requests/s',
        '-----------  ----------',
        'a long name          12',
        'b             1,234,567',
      ].join('\n'),
    );
  });

  it('leaves missing cells empty', () => {
    expect(formatTable(['a', 'b'], [['x']])).toBe('a  b\n-  -\nx');
  });
});

describe('formatNumber', () => {
  it.each([
    [20123.4, '20,123'],
    [12.345, '12.3'],
    [0.456, '0.46'],
  ])('shows %d as %s', (value, expected) => {
    expect(formatNumber(value)).toBe(expected);
  });
});

describe('formatShare', () => {
  it('shows a share in percent', () => {
    expect(formatShare(0.126)).toBe('13 %');
  });
});
