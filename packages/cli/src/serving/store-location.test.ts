import { expect, test } from 'vitest';
import { describeLocation, storeLocation } from './store-location.ts';

test.each([
  [{}, '/here/.holdword (sqlite)'],
  [{ store: 'json-file', data: '/there' }, '/there (json-file)'],
  [{ store: 'memory' }, 'in memory, lost when the server stops'],
  [
    { store: 'postgres://ada:secret@host:5433/db?sslmode=require&password=secret', storeSchema: 'mine' },
    'postgres://host:5433/db, schema mine (postgres)',
  ],
  [{ store: 'postgres://ada:sec%ret@h o/db' }, 'postgres://…, schema holdword (postgres)'],
])('%j is described without secrets', (config, expected) => {
  expect(describeLocation(storeLocation(config, '/here'))).toBe(expected);
});
