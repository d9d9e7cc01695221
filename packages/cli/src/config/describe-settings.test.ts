import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { RESPONDER } from './config-schema.ts';
import { configJsonSchema, describeSettings, settingOptions, validNamesAt } from './describe-settings.ts';

test('the published schema is current (write it with: npm run write:config-schema)', async () => {
  const published = await readFile(new URL('../../holdword.config.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(configJsonSchema());
});

test('the published schema has defaults for programs, and in words where they depend on something', () => {
  expect(configJsonSchema()).toMatchObject({
    properties: {
      port: { default: 4310, description: 'HTTP port; 0 picks a free port.' },
      grpcPort: {
        description: expect.stringMatching(/^gRPC port; .* Default: the HTTP port \+ 1\.$/),
      },
      limits: { properties: { bodyBytes: { default: 1_048_576 } } },
    },
  });
  expect(configJsonSchema()).not.toHaveProperty('properties.grpcPort.default');
  expect(configJsonSchema()).not.toHaveProperty('required');
});

test('every setting is described in sentences, and has a default or can be absent', () => {
  const all = describeSettings().filter(({ path }) => path !== '$schema');
  expect(all.length).toBeGreaterThan(60);
  for (const { path, description } of all) expect(description, path).toMatch(/^[A-Za-z].*\.$/);
  const defaultOf = (path: string) => all.find((setting) => setting.path === path)?.default;
  expect(
    [
      'host',
      'grpcPort',
      'publicUrl',
      'push.allowPrivate',
      'hubOptions.bodyBytes',
      'hubOptions.sessionSeconds',
      'hubOptions.idleSeconds',
      'limits.stalledStreamSeconds',
    ].map(defaultOf),
  ).toEqual([
    '127.0.0.1',
    'the HTTP port + 1',
    undefined,
    'none',
    '65536 (64 KiB)',
    '604800 (7 days)',
    '5400 (90 minutes)',
    '120',
  ]);
});

test('options and environment variables are unique, and named alike', () => {
  const given = describeSettings().flatMap(({ commandLine }) => commandLine ?? []);
  expect(new Set(given.map(({ option }) => option)).size).toBe(given.length);
  for (const { option, environment } of given) {
    expect(environment).toBe(`HOLDWORD_${option.toUpperCase().replaceAll('-', '_')}`);
  }
});

test('a command has options for the settings it takes, with defaults of its own', () => {
  expect(Object.keys(settingOptions(['data', 'store', 'leaseSeconds']))).toEqual(['data', 'store']);
  expect(settingOptions(undefined, { agent: RESPONDER })).toMatchObject({
    agent: { value: 'AGENT', environment: 'HOLDWORD_AGENT', default: RESPONDER },
    port: { value: 'N', description: 'HTTP port; 0 picks a free port', default: '4310' },
    hub: { value: undefined, default: undefined },
  });
});

test('the valid names of an object are those of its settings', () => {
  expect(validNamesAt(['authentication', 'jwt'])).toContain('issuer');
  expect(validNamesAt(['agentOptions', 'exec'])).toContain('command');
  expect(validNamesAt(['port'])).toEqual([]);
  expect(validNamesAt(['nothing', 'there'])).toEqual([]);
});

function valuesOf(path: string): string | undefined {
  return describeSettings().find((setting) => setting.path === path)?.values;
}

test('the valid numbers and names of a setting are described', () => {
  expect(
    ['port', 'grpcPort', 'leaseSeconds', 'hubOptions.bodyBytes', 'limits.storedBytesPerCaller'].map(valuesOf),
  ).toEqual([
    '0 to 65535',
    '0 to 65535, or off',
    '2 to 3600 (1 hour)',
    '1024 (1 KiB) to 16777216 (16 MiB)',
    '0 or more',
  ]);
  expect(['logLevel', 'store', 'host'].map(valuesOf)).toEqual(['error, warn, info', undefined, undefined]);
});
