import { readdir } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { REQUIREMENTS, type Requirement } from './requirements.ts';
import { collectCitations, type Citation } from './scenarios.ts';

const FOLDER = new URL('./scenarios/', import.meta.url);

let citations: readonly Citation[] = [];
beforeAll(async () => {
  citations = await collectCitations(async () => {
    for (const file of await readdir(FOLDER)) {
      // With a unique name: what the file registers must not depend on whether its tests ran here before.
      if (file.endsWith('.test.ts')) await import(`${new URL(file, FOLDER).href}?citations`);
    }
  });
});

test('every citation names a requirement', () => {
  const unknown = citations.flatMap(({ title, covers }) =>
    covers.filter((id) => !(id in REQUIREMENTS)).map((id) => `${title}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

test('every scenario cites a requirement', () => {
  expect(citations.filter(({ covers }) => covers.length === 0)).toEqual([]);
});

test('every requirement is covered on every surface it applies to', () => {
  const shown = new Set(
    citations.flatMap(({ covers, surfaces }) =>
      covers.flatMap((id) => surfaces.map((surface) => `${id} on ${surface}`)),
    ),
  );
  const requirements: [string, Requirement][] = Object.entries(REQUIREMENTS);
  const missing = requirements.flatMap(([id, { appliesTo }]) =>
    appliesTo.map((surface) => `${id} on ${surface}`).filter((promise) => !shown.has(promise)),
  );
  expect(missing).toEqual([]);
});
