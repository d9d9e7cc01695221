import { expect, test } from 'vitest';
import type { Owner } from './owner.ts';
import { ownerFromKey, ownerKey } from './owner.ts';

const OWNERS: Owner[] = [
  { tenant: '', caller: 'me', authenticated: true },
  { tenant: 'me', caller: '', authenticated: true },
  { tenant: '', caller: '', authenticated: true },
  { tenant: '', caller: 'anonymous', authenticated: true },
  { tenant: '', caller: 'anonymous', authenticated: false },
  { tenant: 'a', caller: 'b', authenticated: true },
  { tenant: 'a","b', caller: '', authenticated: true },
  { tenant: 'a', caller: 'anonymous', authenticated: false },
];

test('every owner has its own key, including anonymous callers (J9)', () => {
  expect(new Set(OWNERS.map(ownerKey)).size).toBe(OWNERS.length);
});

test('a key leads back to its owner', () => {
  for (const owner of OWNERS) expect(ownerFromKey(ownerKey(owner))).toEqual(owner);
});
