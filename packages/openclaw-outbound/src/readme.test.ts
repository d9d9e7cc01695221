import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { configJsonSchema } from './config.ts';
import { REQUEST_SCHEMA } from './request/request.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** The cells of all table rows whose first cell is a single code span. */
const ROWS = [...README.matchAll(/^\| `([^`|]+)` +\| ([^|]*?) +\|(?: ([^|]*?) +\|)?/gm)].map(
  ([, name = '', second = '', third = '']) => [name, [second, third]] as const,
);

interface Setting {
  /** As `targets[].alias`. */
  readonly name: string;
  readonly value: unknown;
  readonly description: unknown;
}

/** Every setting with its default and its description. */
function settingsOf(schema: unknown, prefix: string): Setting[] {
  const { properties } = isObject(schema) ? schema : {};
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    if (!isObject(property)) return [];
    const own = { name: path, value: property['default'], description: property['description'] };
    if (isObject(property['items']) && isObject(property['items']['properties'])) {
      return [own, ...settingsOf(property['items'], `${path}[].`)];
    }
    return isObject(property['properties']) ? settingsOf(property, `${path}.`) : [own];
  });
}

test('the README lists every setting with its default and its description', () => {
  const rows = new Map(ROWS);
  for (const { name, value, description } of settingsOf(configJsonSchema(), '')) {
    const [shownDefault, meaning = ''] = rows.get(name) ?? [];
    expect([name, shownDefault]).toEqual([name, expect.any(String)]);
    // The README may add to it.
    expect([name, meaning]).toEqual([name, expect.stringContaining(String(description).replace(/\.$/, ''))]);
    if (value === undefined) continue;
    const shown = typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ');
    expect([name, shownDefault]).toEqual([name, `\`${shown}\``]);
  }
});

test('the README lists every field of a request', () => {
  const { properties } = REQUEST_SCHEMA;
  const names = new Set(ROWS.map(([name]) => name));
  expect(Object.keys(properties as object).filter((field) => !names.has(field))).toEqual([]);
});
