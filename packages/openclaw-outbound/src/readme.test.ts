import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { configJsonSchema } from './config.ts';
import type { RemoteAgentRequest, RemoteAgentResult } from './contract.ts';
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

function nextRequest(result: RemoteAgentResult): RemoteAgentRequest | undefined {
  // The answer of one agent; lists of targets and of branches have other summaries.
  if (!result.ok || !('response_kind' in result.summary)) return undefined;
  const { continuation } = result.summary;
  if (continuation?.task?.can_resume_send) {
    // The task is open: watch it, check its status, cancel it, or answer its question with send.
    return { action: 'status', continuation };
  }
  if (continuation?.conversation) {
    // The task has ended or there was none: say more in the same conversation.
    return { action: 'send', continuation, parts: [{ kind: 'text', text: 'And now?' }] };
  }
  return undefined;
}

test('the README decides about the next request with code that type-checks', () => {
  const [shown = ''] = /^function nextRequest[^]*?^}$/m.exec(README) ?? [];
  expect(shown).not.toBe('');
  // The same code is above, in a file that is type-checked.
  expect(readFileSync(import.meta.filename, 'utf8')).toContain(shown);
  const target_url = 'https://support.example/';
  const target = { target_url, card_path: '/card', preferred_transports: ['JSONRPC' as const] };
  const conversation = { context_id: 'c-1', can_send: true as const };
  const summary = { target_url, response_kind: 'message' as const, continuation: { target, conversation } };
  const result = { ok: true, operation: 'remote_agent', action: 'send', summary, raw: {} } as const;
  expect(nextRequest(result)).toMatchObject({ action: 'send', continuation: { conversation } });
});
