import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configJsonSchema, normalizeUrl, readConfig } from './config.ts';

const MANIFEST: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../openclaw.plugin.json'), 'utf8'),
);

test('reads the configuration of the contract unchanged', () => {
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
  // An empty configuration has the same defaults.
  const { targets: _targets, enabled: _enabled, ...rest } = config;
  expect(readConfig({})).toEqual({ ...rest, enabled: false, targets: [] });
});

test('without configuration the tool is disabled', () => {
  expect(readConfig(undefined).enabled).toBe(false);
});

test('a target inherits the defaults', () => {
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

describe('rejects', () => {
  const target = { alias: 'a', baseUrl: 'https://a.example' };
  test.each([
    ['targets that are not a list', { targets: {} }, 'targets: '],
    [
      'a misspelt field before what is missing without it',
      { targets: [{ alias: 'a', baseURL: 'https://a.example' }] },
      'configuration: targets.0: unknown field "baseURL"; did you mean "baseUrl"?; targets.0.baseUrl: ',
    ],
    ['an unknown field', { target: [] }, 'unknown field "target"; did you mean "targets"?'],
    [
      'a URL with another scheme',
      { targets: [{ ...target, baseUrl: 'ftp://a' }] },
      'targets.0.baseUrl: expected a URL that starts with http:// or https://, found "ftp://a"',
    ],
    [
      'a URL without a scheme',
      { targets: [{ ...target, baseUrl: '127.0.0.1:28310' }] },
      'targets.0.baseUrl: expected a URL that starts with http:// or https://, found "127.0.0.1:28310"',
    ],
    [
      'a duplicate alias',
      { targets: [target, target] },
      'Duplicate target alias "a". Give each target a unique alias.',
    ],
    [
      'two defaults',
      {
        targets: [
          { ...target, default: true },
          { ...target, alias: 'b', default: true },
        ],
      },
      'More than one default target: a, b. Mark at most one as default.',
    ],
    [
      'a URL with credentials',
      { targets: [{ ...target, baseUrl: 'https://user:secret@a.example' }] },
      'targets.0.baseUrl: expected a URL without credentials',
    ],
    [
      'a misspelt credential',
      { targets: [{ ...target, auth: { type: 'bearer', tokne: 'x', token: 'y' } }] },
      'targets.0.auth: unknown field "tokne"; did you mean "token"?',
    ],
    ['an invalid timeout', { defaults: { timeoutMs: 0 } }, 'defaults.timeoutMs: '],
    [
      'a card path without a leading slash',
      { defaults: { cardPath: 'card' } },
      'defaults.cardPath: expected a path starting with "/"',
    ],
    [
      'an unsupported transport',
      { defaults: { preferredTransports: ['SOAP'] } },
      'Unsupported transport in preferredTransports of defaults: SOAP. Supported: JSONRPC, HTTP+JSON, GRPC',
    ],
    [
      'an unknown auth type',
      { targets: [{ ...target, auth: { type: 'magic' } }] },
      'targets.0.auth.type: expected one of bearer, basic, header, oauth2',
    ],
    [
      'a misspelt field of auth',
      { targets: [{ ...target, auth: { type: 'bearer', token: 't', usrname: 'u' } }] },
      'targets.0.auth: unknown field "usrname"; valid fields are type, token',
    ],
    ['an invalid host in allowHosts', { policy: { allowHosts: ['a b'] } }, 'Invalid allow list entry "a b"'],
  ])('%s', (_name, config, message) => {
    expect(() => readConfig(config)).toThrow(message);
  });
});

test('policy can ignore unsupported transports', () => {
  const policy = { enforceSupportedTransports: false };
  expect(
    readConfig({ policy, defaults: { preferredTransports: ['SOAP', 'GRPC'] } }).defaults.preferredTransports,
  ).toEqual(['GRPC']);
  expect(() => readConfig({ policy, defaults: { preferredTransports: ['SOAP'] } })).toThrow(
    'No supported transport in preferredTransports of defaults.',
  );
});

test('a URL with credentials is not repeated', () => {
  const config = { targets: [{ alias: 'a', baseUrl: 'ftp://user:secret@a.example' }] };
  expect(() => readConfig(config)).toThrow(expect.not.stringContaining('secret') as string);
});

test('the manifest has no patterns, which OpenClaw would show instead of a sentence', () => {
  expect(JSON.stringify(configJsonSchema())).not.toContain('"pattern"');
});

test('the manifest contains the same schema', () => {
  expect(MANIFEST).toMatchObject({
    configSchema: configJsonSchema(),
  });
});

describe('a base URL', () => {
  test.each([
    ['https://Support.Example', 'https://support.example/'],
    ['https://support.example:443/a2a//?x=1#y', 'https://support.example/a2a/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ])('%s is normalized to %s', (url, normal) => {
    expect(normalizeUrl(url)).toBe(normal);
  });

  test('is kept as is if policy turns normalization off', () => {
    expect(normalizeUrl('https://a.example/x?y=1', false)).toBe('https://a.example/x?y=1');
  });
});
