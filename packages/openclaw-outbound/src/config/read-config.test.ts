import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configSchema } from './config.ts';
import { readConfig } from './read-config.ts';

const MANIFEST: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openclaw.plugin.json'), 'utf8'),
);

test('the configuration of the contract is read as it is', () => {
  const config = readConfig({
    enabled: true,
    defaults: {
      timeoutMs: 120000,
      cardPath: '/.well-known/agent-card.json',
      preferredTransports: ['JSONRPC', 'HTTP+JSON'],
      serviceParameters: {},
    },
    targets: [
      {
        alias: 'support',
        baseUrl: 'https://support.example',
        description: 'Primary support lane',
        tags: ['support'],
        examples: ['Summarize this incident and propose next steps.'],
        default: true,
      },
    ],
    taskHandles: { ttlMs: 86400000, maxEntries: 1000 },
    policy: {
      acceptedOutputModes: [],
      normalizeBaseUrl: true,
      enforceSupportedTransports: true,
      allowTargetUrlOverride: false,
    },
  });
  expect(config).toMatchObject({
    enabled: true,
    targets: [{ alias: 'support', baseUrl: 'https://support.example/', default: true }],
  });
  // All of it is what an empty configuration means, too.
  const { targets: _targets, enabled: _enabled, ...rest } = config;
  expect(readConfig({})).toEqual({ ...rest, enabled: false, targets: [] });
});

test('no configuration is one in which the tool is off', () => {
  expect(readConfig(undefined).enabled).toBe(false);
});

test('a target has the defaults where it says nothing itself', () => {
  const { targets } = readConfig({
    defaults: { cardPath: '/card', preferredTransports: ['GRPC'], serviceParameters: { A: '1', B: '1' } },
    targets: [
      { alias: 'a', baseUrl: 'https://a.example' },
      {
        alias: 'b',
        baseUrl: 'https://b.example/x/',
        cardPath: '/other',
        preferredTransports: ['JSONRPC'],
        serviceParameters: { B: '2' },
      },
    ],
  });
  expect(targets).toMatchObject([
    {
      cardPath: '/card',
      preferredTransports: ['GRPC'],
      serviceParameters: { A: '1', B: '1' },
      default: false,
    },
    { cardPath: '/other', preferredTransports: ['JSONRPC'], serviceParameters: { A: '1', B: '2' } },
  ]);
});

describe('refuses', () => {
  const target = { alias: 'a', baseUrl: 'https://a.example' };
  test.each([
    ['targets that are no list', { targets: {} }, 'targets: '],
    ['an unknown field', { target: [] }, '"target"'],
    [
      'a URL of another scheme',
      { targets: [{ ...target, baseUrl: 'ftp://a' }] },
      'targets.0.baseUrl: expected an http or https URL',
    ],
    [
      'the same alias twice',
      { targets: [target, target] },
      'Two targets have the alias "a". Give each target an alias of its own.',
    ],
    [
      'two defaults',
      {
        targets: [
          { ...target, default: true },
          { ...target, alias: 'b', default: true },
        ],
      },
      'The targets a, b are all marked as default. Mark one at most.',
    ],
    [
      'a URL with credentials',
      { targets: [{ ...target, baseUrl: 'https://user:secret@a.example' }] },
      'The baseUrl of target "a" holds credentials',
    ],
    ['a time that is none', { defaults: { timeoutMs: 0 } }, 'defaults.timeoutMs: '],
    [
      'a card path without its slash',
      { defaults: { cardPath: 'card' } },
      'defaults.cardPath: expected a path that begins with a slash',
    ],
    [
      'transports that nobody knows',
      { defaults: { preferredTransports: ['SOAP'] } },
      'The preferredTransports of defaults name SOAP. Expected some of JSONRPC, HTTP+JSON, GRPC',
    ],
    [
      'an unknown kind of credentials',
      { targets: [{ ...target, auth: { type: 'magic' } }] },
      'targets.0.auth',
    ],
    ['a host that cannot be allowed', { policy: { allowHosts: ['a b'] } }, '"a b" cannot be allowed'],
  ])('%s', (_name, config, words) => {
    expect(() => readConfig(config)).toThrow(words);
  });
});

test('transports that nobody knows are left out where policy says so', () => {
  const policy = { enforceSupportedTransports: false };
  expect(
    readConfig({ policy, defaults: { preferredTransports: ['SOAP', 'GRPC'] } }).defaults.preferredTransports,
  ).toEqual(['GRPC']);
  expect(() => readConfig({ policy, defaults: { preferredTransports: ['SOAP'] } })).toThrow(
    'The preferredTransports of defaults name none that can be used.',
  );
});

test('the manifest has the same schema for the host', () => {
  expect(MANIFEST).toMatchObject({
    configSchema: z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }),
  });
});
