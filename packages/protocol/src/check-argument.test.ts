import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkArgument } from './check-argument.ts';

const schema = z.looseObject({
  port: z.int().min(0),
  store: z.custom((value) => value === 1, 'expected a store'),
});

test.each([
  [{ port: 'abc', store: 1 }, 'serve: port: expected a number, found "abc".'],
  [{ port: 1, store: Promise.resolve(1) }, 'serve: store: expected a store, found a promise.'],
  [{ port: 1, store: () => 1 }, 'serve: store: expected a store, found a function.'],
  ['zz', 'serve: expected an object, found "zz".'],
  ['pg://me:secret@host/x', 'serve: expected an object, found "pg://…@host/x".'],
])('%j is described', (value, message) => {
  expect(() => checkArgument('serve', schema, value)).toThrow(new TypeError(message));
});

test('what fits passes, with fields that nobody knows', () => {
  expect(() => checkArgument('serve', schema, { port: 1, store: 1, other: 2 })).not.toThrow();
});
