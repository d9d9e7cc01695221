import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validNamesAt } from './config/channel-json-schema.ts';
import { readAccounts } from './config/read-accounts.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** The default of each setting in the tables of the README. */
const SETTINGS = new Map(
  [...README.matchAll(/^\| `([\w.]+)` +\| (.*?) +\|/gm)].map(([, name = '', value = '']) => [name, value]),
);

function shown(name: string): string | undefined {
  return SETTINGS.get(name)?.replaceAll('`', '');
}

test.each([
  ['channels.a2a', [], ''],
  ['an account', ['accounts', 'default'], ''],
  ['the anonymous limits', ['accounts', 'default', 'auth', 'anonymous'], 'auth.anonymous.'],
  ['a peer', ['accounts', 'default', 'auth', 'peers', 'ada'], ''],
])('the README lists every setting of %s', (_, path, prefix) => {
  const names = validNamesAt(path).map((name) => `${prefix}${name}`);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !SETTINGS.has(name))).toEqual([]);
});

test('the README names every key of auth and features', () => {
  const account = ['accounts', 'default'];
  for (const name of validNamesAt([...account, 'auth'])) expect(README).toContain(`\`auth.${name}`);
  for (const name of validNamesAt([...account, 'features'])) {
    expect(SETTINGS.get('features') ?? '', name).toBe('all off');
    expect(README).toContain(`\`${name}\`: `);
  }
});

test('the README states the defaults of an account', () => {
  const [entry] = readAccounts({ accounts: { default: {} } });
  const { config } = entry ?? {};
  expect(shown('defaultAgentId')).toBe(config?.defaultAgentId);
  expect(shown('agentCardPath')).toBe(config?.agentCardPath);
  expect(shown('jsonRpcPath')).toBe(config?.jsonRpcPath);
  expect(shown('maxBodyBytes')).toBe(String(config?.maxBodyBytes));
  expect(shown('agentStyle')).toBe(config?.agentStyle);
  expect(shown('auth.anonymous.requestsPerMinute')).toBe(String(config?.auth.anonymous.requestsPerMinute));
  expect(shown('auth.anonymous.concurrentTurns')).toBe(String(config?.auth.anonymous.concurrentTurns));
});
