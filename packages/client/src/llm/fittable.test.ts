import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { allocate } from './fittable.ts';

it.each([
  [10, [], []],
  [
    10,
    [
      [0, 4],
      [0, 3],
    ],
    [4, 3],
  ],
  [
    10,
    [
      [0, 2],
      [0, 100],
      [0, Infinity],
    ],
    [2, 4, 4],
  ],
  [
    10,
    [
      [6, 8],
      [0, 8],
    ],
    [6, 4],
  ],
])('divides %i among %j', (room, demands, shares) => {
  expect(
    allocate(
      room,
      demands.map(([minLength = 0, fullLength = 0]) => ({ minLength, fullLength })),
    ),
  ).toEqual(shares);
});

it('stays within the room, and reduces lengths only if necessary', () => {
  const demand = fc
    .tuple(fc.nat(20), fc.nat(200))
    .map(([minLength, more]) => ({ minLength, fullLength: minLength + more }));
  fc.assert(
    fc.property(fc.array(demand, { maxLength: 20 }), fc.nat(500), (demands, more) => {
      const room = demands.reduce((sum, { minLength }) => sum + minLength, 0) + more;
      const shares = allocate(room, demands);
      const used = shares.reduce((sum, share) => sum + share, 0);
      const fullLength = demands.reduce((sum, each) => sum + each.fullLength, 0);
      expect(used).toBeLessThanOrEqual(room);
      if (fullLength <= room) expect(used).toBe(fullLength);
      else expect(room - used).toBeLessThan(demands.length);
    }),
  );
});
