import { expect, test } from 'vitest';
import { covers, isNewCount, withoutCovered } from './same-work.ts';

test.each([
  ['db3 was rotated at 10:42.', 'db3 is left.', true],
  ['Tenant 4 migrated.', 'tenant 4', true],
  ['Done: index on orders', 'vacuum', false],
  ['The docs of the parser are written and reviewed', 'docs', false],
])('%j covers %j: %s', (statement, item, isCovered) => {
  expect(covers(statement, item)).toBe(isCovered);
});

test.each([
  ['migrate orders, migrate users', 'migrate orders', 'migrate users'],
  ['db3 and db4', 'db3 was copied', 'db4'],
  ['shards 12 to 15', 'Shard 12 is finished', 'shards 13 to 15'],
  ['batches 4 to 10', 'batches 4 to 6', 'batches 7 to 10'],
  ['batches 4 to 10', 'batches 4 to 10 are done', undefined],
  ['batches 4 to 10', 'It took 4 hours', 'batches 4 to 10'],
  [
    'a long sentence about something, and another one about all the rest of it',
    'the rest of it',
    'a long sentence about something, and another one about all the rest of it',
  ],
])('of %j, after %j, %j is left', (item, statement, left) => {
  expect(withoutCovered(item, statement)).toBe(left);
});

test('a newer count replaces an older one', () => {
  expect(isNewCount('50 tenants are left.', '90 tenants are left.')).toBe(true);
  expect(isNewCount('50 tenants are left.', '50 users are left.')).toBe(false);
});
