import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { TargetCatalog } from './target-catalog.ts';

const TARGETS = [
  { alias: 'support', baseUrl: 'https://support.example' },
  { alias: 'one', baseUrl: 'https://both.example', cardPath: '/one.json' },
  { alias: 'two', baseUrl: 'https://both.example', cardPath: '/two.json' },
];

function catalog(config: object = { targets: TARGETS }): TargetCatalog {
  return new TargetCatalog(readConfig(config));
}

describe('a URL', () => {
  test.each(['https://support.example', 'https://SUPPORT.example:443/', 'https://support.example/?x=1'])(
    'of a configured target is that target: %s',
    (url) => {
      expect(catalog().byUrl(url).configured?.alias).toBe('support');
    },
  );

  test('of several targets is rejected', () => {
    expect(() => catalog().byUrl('https://both.example')).toThrow(
      expect.objectContaining({
        code: 'TARGET_RESOLUTION_ERROR',
        details: expect.objectContaining({
          reason: 'ambiguous_normalized_url_matches',
          suggested_action: 'list_targets',
          configuredAliases: ['one', 'two'],
        }) as object,
      }),
    );
  });

  test.each([
    ['if other targets are configured', { targets: TARGETS }, 'unknown_raw_url'],
    ['if no target is configured', {}, 'raw_url_disallowed_by_policy'],
  ])('without a target is rejected %s', (_name, config, reason) => {
    expect(() => catalog(config).byUrl('https://other.example')).toThrow(
      expect.objectContaining({
        code: 'TARGET_RESOLUTION_ERROR',
        details: expect.objectContaining({ reason, suggested_action: 'list_targets' }) as object,
      }),
    );
  });

  test('without a target is allowed by policy, as an unconfigured target', () => {
    const target = catalog({ targets: TARGETS, policy: { allowTargetUrlOverride: true } }).byUrl(
      'https://other.example',
    );
    expect(target).toEqual({
      baseUrl: 'https://other.example/',
      cardPath: '/.well-known/agent-card.json',
      preferredTransports: ['JSONRPC', 'HTTP+JSON'],
    });
  });
});

test('a similar alias is suggested', () => {
  expect(() => catalog().byAlias('suport')).toThrow(
    expect.objectContaining({
      code: 'TARGET_RESOLUTION_ERROR',
      details: expect.objectContaining({
        reason: 'unknown_alias',
        suggested_action: 'list_targets',
        availableAliases: ['support', 'one', 'two'],
        hint: expect.stringContaining('"support"') as string,
      }) as object,
    }),
  );
});

test('an address belongs to the target with the same card', () => {
  const address = { baseUrl: 'https://both.example', preferredTransports: ['GRPC'] as const };
  expect(catalog().at({ ...address, cardPath: '/two.json' })).toMatchObject({
    preferredTransports: ['GRPC'],
    configured: { alias: 'two' },
  });
  expect(catalog().at({ ...address, cardPath: '/three.json' }).configured).toBeUndefined();
});

test('an address of several targets belongs to the one with the alias', () => {
  const twins = catalog({
    targets: [
      { alias: 'mine', baseUrl: 'https://twin.example' },
      { alias: 'ours', baseUrl: 'https://twin.example' },
    ],
  });
  const address = twins.byAlias('ours');
  expect(twins.at(address, 'ours').configured?.alias).toBe('ours');
  expect(twins.at(address, 'mine').configured?.alias).toBe('mine');
  expect(twins.at(address, 'gone').configured?.alias).toBe('mine');
});
