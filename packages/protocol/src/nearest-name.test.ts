import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const NAMES = ['host', 'port', 'grpcPort', 'publicUrl', 'authentication'];

test.each([
  ['prot', 'port'],
  ['Port', 'port'],
  ['hots', 'host'],
  ['grpcport', 'grpcPort'],
  ['publicURL', 'publicUrl'],
  ['authentification', 'authentication'],
  ['auth', 'authentication'],
  ['Public', 'publicUrl'],
])('%s is taken for %s', (given, meant) => {
  expect(nearestName(given, NAMES)).toBe(meant);
});

test('a word that is like none of them has no nearest name', () => {
  expect(nearestName('banana', NAMES)).toBeUndefined();
  expect(nearestName('fort', ['hosts', 'data', 'cat'])).toBeUndefined();
  expect(nearestName('bob', ['job', 'ada', 'ann'])).toBe('job');
  expect(nearestName('bob', ['ada', 'ann', 'rob-2'])).toBeUndefined();
  expect(nearestName('invoice-collector', ['voice-connector'])).toBeUndefined();
  expect(nearestName('x'.repeat(10_000_000), NAMES)).toBeUndefined();
});
