import { describe, expect, it } from 'vitest';
import { compareAlternately, repeat } from './compare-alternately.ts';

describe('compareAlternately', () => {
  it('runs both variants alternately and compares their medians', async () => {
    const order: string[] = [];
    const variant = (name: string, values: number[]) => (): Promise<number> => {
      order.push(name);
      return Promise.resolve(values.shift() ?? Number.NaN);
    };
    const comparison = await compareAlternately(
      repeat(3, { small: variant('small', [2, 1, 90]), large: variant('large', [3, 3, 50]) }),
    );
    expect(comparison).toEqual({ small: 2, large: 3, ratio: 1.5 });
    expect(order).toEqual(['small', 'large', 'small', 'large', 'small', 'large']);
  });
});
