import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSettings } from '../../packages/cli/src/config/describe-settings.ts';
import { DEFAULT_HUB_SETTINGS } from '../../packages/hub/src/hub-settings.ts';
import {
  DEFAULT_HOST,
  DEFAULT_LIMITS,
  DEFAULT_MINIMUM_FREE_BYTES,
  DEFAULT_ADAPTER_THINKING,
  DEFAULT_OPENCLAW_OPTIONS,
  DEFAULT_PORT,
  DEFAULT_PROGRAM_OPTIONS,
  DEFAULT_PUSH_OPTIONS,
  DEFAULT_RUNTIME_OPTIONS,
} from '../../packages/runtime/src/defaults.ts';

/** The file of an interface, its name, and the defaults that the code uses. */
const INTERFACES: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['runtime/src/runtime.ts', 'RuntimeOptions', DEFAULT_RUNTIME_OPTIONS],
  ['runtime/src/serve/limits.ts', 'Limits', DEFAULT_LIMITS],
  [
    'runtime/src/serve/serve-runtime.ts',
    'ServeRuntimeOptions',
    { host: DEFAULT_HOST, port: DEFAULT_PORT, grpcPort: 'off' },
  ],
  ['runtime/src/push/push-outbox.ts', 'PushOptions', DEFAULT_PUSH_OPTIONS],
  [
    'runtime/src/observe/readiness.ts',
    'ReadinessOptions',
    {
      minimumFreeBytes: DEFAULT_MINIMUM_FREE_BYTES,
      leaseMilliseconds: DEFAULT_RUNTIME_OPTIONS.leaseMilliseconds,
    },
  ],
  ['runtime/src/executors/cli-agent/cli-agent-options.ts', 'CliAgentOptions', DEFAULT_PROGRAM_OPTIONS],
  [
    'runtime/src/adapter/openclaw-agent-adapter.ts',
    'OpenClawAdapterOptions',
    {
      thinking: DEFAULT_ADAPTER_THINKING,
      openclawPath: DEFAULT_OPENCLAW_OPTIONS.openclawPath,
      timeout: DEFAULT_PROGRAM_OPTIONS.timeoutMilliseconds / 1_000,
    },
  ],
  // The server's own default, so that the command line can show it without loading the store.
  ['store/src/postgres/open-postgres-store.ts', 'PostgresStoreOptions', { schema: defaultOf('storeSchema') }],
  [
    'hub/src/hub-settings.ts',
    'HubSettings',
    { ...DEFAULT_HUB_SETTINGS, openRegistration: undefined, retention: undefined },
  ],
  ['hub/src/hub-settings.ts', 'HubRetentionSettings', { ...DEFAULT_HUB_SETTINGS.retention }],
];

test.each(INTERFACES)('%s: the defaults in the comments of %s are those of the code', (file, name, used) => {
  const told = defaultTags(readFileSync(join(import.meta.dirname, '../../packages', file), 'utf8'), name);
  const expected = Object.entries(used).filter(([, value]) => value !== undefined);
  expect(expected).not.toEqual([]);
  for (const [option, value] of expected) expect(told.get(option), option).toBe(String(value));
});

function defaultOf(setting: string): string | undefined {
  return describeSettings().find(({ path }) => path === setting)?.default;
}

/** What `@default` says about each member: its value, without quotes and without an explanation in parentheses. */
function defaultTags(source: string, name: string): Map<string, string> {
  const start = source.indexOf(`export interface ${name} `);
  const members = source
    .slice(start, source.indexOf('\n}', start))
    .matchAll(/\/\*\*(?<comment>(?:(?!\*\/).)*)\*\/\n {2}(?:readonly )?(?<member>\w+)\??:/gs);
  return new Map(
    [...members].map(({ groups: { comment = '', member = '' } = {} }) => [
      member,
      /@default (.*)/
        .exec(comment)?.[1]
        ?.replace(/ \(.*\)$|, .*$/, '')
        .replaceAll(/[`']/g, '')
        .trim() ?? '',
    ]),
  );
}
