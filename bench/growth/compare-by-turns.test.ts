import { describe, expect, it } from 'vitest';
import { compareByTurns, repeat } from './compare-by-turns.ts';

describe('compareByTurns', () => {
  it('asks both sides in turn and compares their medians', async () => {
    const order: string[] = [];
    const side = (name: string, values: number[]) => (): Promise<number> => {
      order.push(name);
      return Promise.resolve(values.shift() ?? Number.NaN);
    };
    const comparison = await compareByTurns(
      repeat(3, { small: side('small', [2, 1, 90]), large: side('large', [3, 3, 50]) }),
    );
    expect(comparison).toEqual({ small: 2, large: 3, ratio: 1.5 });
    expect(order).toEqual(['small', 'large', 'small', 'large', 'small', 'large']);
  });
});
