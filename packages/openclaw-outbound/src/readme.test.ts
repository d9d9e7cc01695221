import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchema } from './config/config.ts';
import { requestSchema } from './request/request-schema.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** The cells of all table rows whose first cell is a single code span. */
const ROWS = [...README.matchAll(/^\| `([^`|]+)` +\| ([^|]*?) +\|/gm)].map(
  ([, name = '', second = '']) => [name, second] as const,
);

/** Every setting with its default, as `targets[].alias`. */
function settingsOf(schema: unknown, prefix: string): [name: string, value: unknown][] {
  const { properties } = isObject(schema) ? schema : {};
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    if (!isObject(property)) return [];
    const own: [string, unknown] = [path, property['default']];
    if (isObject(property['items']) && isObject(property['items']['properties'])) {
      return [own, ...settingsOf(property['items'], `${path}[].`)];
    }
    return isObject(property['properties']) ? settingsOf(property, `${path}.`) : [own];
  });
}

test('the README lists every setting with its default', () => {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
  const rows = new Map(ROWS);
  for (const [name, value] of settingsOf(schema, '')) {
    expect([name, rows.get(name)]).toEqual([name, expect.any(String)]);
    if (value === undefined) continue;
    const shown = typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ');
    expect([name, rows.get(name)]).toEqual([name, `\`${shown}\``]);
  }
});

test('the README lists every field of a request', () => {
  const { properties } = requestSchema([]);
  const names = new Set(ROWS.map(([name]) => name));
  expect(Object.keys(properties as object).filter((field) => !names.has(field))).toEqual([]);
});
