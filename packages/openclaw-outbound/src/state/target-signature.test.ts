import { expect, test } from 'vitest';
import { StateStore } from './state-store.ts';
import { TargetSignature } from './target-signature.ts';

const ADDRESS = {
  baseUrl: 'https://a.example/',
  cardPath: '/card.json',
  preferredTransports: ['JSONRPC'],
} as const;

test('a signature is valid for the target it was made for', async () => {
  const signature = new TargetSignature(new StateStore({}));
  const signed = await signature.sign(ADDRESS);
  expect(await signature.verify(ADDRESS, signed)).toBe(true);
  expect(await signature.verify({ ...ADDRESS, baseUrl: 'https://b.example/' }, signed)).toBe(false);
  expect(await signature.verify({ ...ADDRESS, cardPath: '/b.json' }, signed)).toBe(false);
  expect(await signature.verify({ ...ADDRESS, preferredTransports: ['GRPC'] }, signed)).toBe(false);
  expect(await signature.verify(ADDRESS, '')).toBe(false);
});

test('another installation has another key and another id', async () => {
  const [one, other] = [new TargetSignature(new StateStore({})), new TargetSignature(new StateStore({}))];
  expect(await other.verify(ADDRESS, await one.sign(ADDRESS))).toBe(false);
  expect(await one.installationId()).toMatch(/^[\w-]{12}$/);
  expect(await other.installationId()).not.toBe(await one.installationId());
});
