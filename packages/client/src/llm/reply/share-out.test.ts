import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOut } from './share-out.ts';

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
])('shares %i out among %j', (room, demands, shares) => {
  expect(
    shareOut(
      room,
      demands.map(([least = 0, wanted = 0]) => ({ least, wanted })),
    ),
  ).toEqual(shares);
});

it('stays within the room, and gives less than wanted only where it must', () => {
  const demand = fc.tuple(fc.nat(20), fc.nat(200)).map(([least, more]) => ({ least, wanted: least + more }));
  fc.assert(
    fc.property(fc.array(demand, { maxLength: 20 }), fc.nat(500), (demands, more) => {
      const room = demands.reduce((sum, { least }) => sum + least, 0) + more;
      const shares = shareOut(room, demands);
      const used = shares.reduce((sum, share) => sum + share, 0);
      const wanted = demands.reduce((sum, each) => sum + each.wanted, 0);
      expect(used).toBeLessThanOrEqual(room);
      if (wanted <= room) expect(used).toBe(wanted);
      else expect(room - used).toBeLessThan(demands.length);
    }),
  );
});
