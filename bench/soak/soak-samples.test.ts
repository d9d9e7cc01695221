import { expect, test } from 'vitest';
import { growthOf, type Sample } from './soak-samples.ts';
import { plotSamples } from './soak-plot.ts';

function samples(megabytes: (index: number) => number): Sample[] {
  return Array.from({ length: 100 }, (_, index) => ({
    minutes: index,
    megabytes: megabytes(index),
    openFiles: 40,
    storedMegabytes: 12,
  }));
}

test('growth is what comes after the warm-up', () => {
  expect(
    growthOf(
      samples((index) => Math.min(300, 100 + index * 10)),
      'megabytes',
    ),
  ).toBe(1);
  expect(
    growthOf(
      samples((index) => 100 + index),
      'megabytes',
    ),
  ).toBeGreaterThan(1.2);
  expect(
    growthOf(
      samples(() => 100),
      'openFiles',
    ),
  ).toBe(1);
});

test('the plot has a line for each series, with its largest value', () => {
  const plot = plotSamples(
    samples((index) => 100 + index),
    'One hour',
  );
  expect(plot.match(/<polyline/g)).toHaveLength(3);
  expect(plot).toContain('resident memory, MB (at most 199)');
  expect(plot).not.toContain('NaN');
});
