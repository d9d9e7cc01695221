import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configJsonSchema } from './config-json-schema.ts';

test('the published schema is current (write it with: npm run write:config-schema)', async () => {
  const published = await readFile(new URL('../../holdword.config.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(configJsonSchema());
});
