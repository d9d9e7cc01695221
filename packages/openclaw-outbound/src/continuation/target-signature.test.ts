import { expect, test } from 'vitest';
import { StateStore } from '../state/state-store.ts';
import { TargetSignature } from './target-signature.ts';

const ADDRESS = {
  baseUrl: 'https://a.example/',
  cardPath: '/card.json',
  preferredTransports: ['JSONRPC'],
} as const;

test('our own signature is known, for the very same target', async () => {
  const signature = new TargetSignature(new StateStore({}));
  const signed = await signature.sign(ADDRESS);
  expect(await signature.isOurs(ADDRESS, signed)).toBe(true);
  expect(await signature.isOurs({ ...ADDRESS, baseUrl: 'https://b.example/' }, signed)).toBe(false);
  expect(await signature.isOurs({ ...ADDRESS, cardPath: '/b.json' }, signed)).toBe(false);
  expect(await signature.isOurs({ ...ADDRESS, preferredTransports: ['GRPC'] }, signed)).toBe(false);
  expect(await signature.isOurs(ADDRESS, '')).toBe(false);
});

test('another installation has another key and another name', async () => {
  const [one, other] = [new TargetSignature(new StateStore({})), new TargetSignature(new StateStore({}))];
  expect(await other.isOurs(ADDRESS, await one.sign(ADDRESS))).toBe(false);
  expect(await one.installation()).toMatch(/^[\w-]{12}$/);
  expect(await other.installation()).not.toBe(await one.installation());
});
