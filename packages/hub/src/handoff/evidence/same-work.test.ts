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

test.each([
  ['copy orders, copy invoices', 'Copied orders and invoices.', undefined],
  [
    'sync customers, invoices, payments and refunds',
    'Synced customers and invoices.',
    'sync payments, refunds',
  ],
  ['test customers, invoices', 'Copied customers and invoices.', 'test customers, invoices'],
  ['chapters 1 to 12', 'chapters 4 to 7 are translated', 'chapters 1 to 3, 8 to 12'],
  ['chapters 1 to 3, 8 to 12', 'chapters 1, 2 and 3 are translated as well', 'chapters 8 to 12'],
  ['files 1, 2, 3, 4 and 7', 'File 3 is done', 'files 1, 2, 4, 7'],
  ['files 1, 2, 3, 4 and 7', 'Files 1, 2 and 3 are done', 'files 4, 7'],
  ['files 1, 2, 3 and the index', 'Files 1 to 3 are done', 'the index'],
  ['test shards 1 to 8', 'Copied shards 1 to 4', 'test shards 1 to 8'],
  ['migrate shards 1 to 8', 'Migrated shards 1 to 4', 'migrate shards 5 to 8'],
  ['migrate shards 1 to 8', 'Shards 1 to 4 are done', 'migrate shards 5 to 8'],
  ['tenants 5 to 9', 'Tenants 5 and 9 are migrated', 'tenants 6 to 8'],
  ['migrate tenants 1 to 3, tenants 5 to 9', 'Migrated tenants 1 to 5 and 9', 'migrate tenants 6 to 8'],
  ['write the docs', 'Wrote the docs', undefined],
])('as sets: of %j, after %j, %j is left', (item, statement, left) => {
  expect(withoutCovered(item, statement)).toBe(left);
});
