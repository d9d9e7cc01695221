import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { channelJsonSchema } from './channel-schema.ts';

test('the schema has no patterns, which OpenClaw would show instead of a sentence', () => {
  expect(JSON.stringify(channelJsonSchema())).not.toContain('"pattern"');
});

test('a task store is one object, so that OpenClaw names a kind that does not exist', () => {
  const { accounts } = channelJsonSchema()['properties'] as Record<string, { additionalProperties: object }>;
  expect(accounts?.additionalProperties).toMatchObject({
    properties: {
      taskStore: {
        type: 'object',
        properties: {
          kind: { enum: ['memory', 'json-file', 'sqlite', 'postgres'] },
          path: { type: 'string' },
          url: { type: 'string' },
        },
        required: ['kind'],
        additionalProperties: false,
      },
    },
  });
});

test('the schema in the manifest is up to date (update it with: npm run write:config-schema)', async () => {
  const manifest = await readFile(new URL('../../openclaw.plugin.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).channelConfigs.a2a.schema).toEqual(channelJsonSchema());
});
