import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject } from '@holdword/protocol/internal';
import { describe, expect, test } from 'vitest';
import { settingsAt } from './config/channel-schema.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** The default of each setting in the tables of the README. */
const SETTINGS = new Map(
  [...README.matchAll(/^\| `([\w.]+)` +\| (.*?) +\|/gm)].map(([, name = '', value = '']) => [name, value]),
);

describe.each([
  ['channels.a2a', [], ''],
  ['an account', ['accounts', 'default'], ''],
  ['the anonymous limits', ['accounts', 'default', 'auth', 'anonymous'], 'auth.anonymous.'],
  ['a peer', ['accounts', 'default', 'auth', 'peers', 'ada'], ''],
])('of %s the README', (_, path, prefix) => {
  const settings = Object.entries(settingsAt(path));

  test('lists every setting', () => {
    expect(settings).not.toEqual([]);
    expect(settings.map(([name]) => `${prefix}${name}`).filter((name) => !SETTINGS.has(name))).toEqual([]);
  });

  test('states the defaults', () => {
    for (const [name, schema] of settings) {
      const { default: value } = asObject(schema);
      // It describes lists and objects in words.
      if (value === undefined || typeof value === 'object') continue;
      expect([name, SETTINGS.get(`${prefix}${name}`)]).toEqual([
        name,
        `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
      ]);
    }
  });
});

test('the README names every key of auth and features', () => {
  const account = ['accounts', 'default'];
  for (const name of Object.keys(settingsAt([...account, 'auth'])))
    expect(README).toContain(`\`auth.${name}`);
  for (const name of Object.keys(settingsAt([...account, 'features']))) {
    expect(SETTINGS.get('features') ?? '', name).toBe('all off');
    expect(README).toContain(`\`${name}\`: `);
  }
});
