import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expandVariables, readAgentEntries } from './agent-entries.ts';

test.each([
  ['{\n  // mine\n  "a": {}\n}', '2:3'],
  ['{ "a": 1, }', '1:11'],
  ['{ "a": tru }', '1:11'],
  ['{ "a": "b" } x', '1:14'],
  ["{ 'a': 1 }", '1:3'],
])('the first character of %j that is not JSON is named', (text, position) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdword-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'agents.json');
  writeFileSync(file, text);
  expect(() => readAgentEntries(file)).toThrow(
    `The agents file ${file} is not valid JSON, at ${position}. Comments and trailing commas are not allowed.`,
  );
});

test('replaces variables anywhere in a value', () => {
  const headers = { Authorization: 'Bearer ${TOKEN}', Plain: '$TOKEN {TOKEN}', Two: '${TOKEN}-${OTHER}' };
  expect(expandVariables(headers, { TOKEN: 'secret\n', OTHER: 'x' })).toEqual({
    Authorization: 'Bearer secret',
    Plain: '$TOKEN {TOKEN}',
    Two: 'secret-x',
  });
});

test.each([
  ['is not set', {}],
  ['is empty', { TOKEN: '' }],
  ['has line breaks', { TOKEN: 'a\nb: c' }],
])('rejects a variable that %s, without showing its value', (_, environment) => {
  expect(() => expandVariables({ Authorization: 'Bearer ${TOKEN}' }, environment)).toThrow(
    /^The (header Authorization needs the environment variable TOKEN,|environment variable TOKEN cannot be used in the header Authorization:) [a-z ]+\.( Set it and restart\.)?$/,
  );
});

test('a value that looks like a variable is not expanded again', () => {
  expect(expandVariables({ A: '${X}' }, { X: '${Y}', Y: 'no' })).toEqual({ A: '${Y}' });
});

test.each([
  [JSON.parse('{"__proto__": {"url": "https://a.example"}}'), '"__proto__" cannot be the id of an agent'],
  [
    { agents: { demo: { url: 'https://a.example' } } },
    'the entries are inside "agents". Put them at the top level',
  ],
  [
    { demo: { url: 'https://a.example', custom_header: { 'X-Key': 'secret' } } },
    'demo: unknown key "custom_header", did you mean "custom_headers"?; valid keys are url, custom_headers, trusted_origins.',
  ],
  [
    { demo: { url: 'https://a.example', auth: { bearer: 'secret' } } },
    'demo: unknown key "auth", did you mean "custom_headers"?',
  ],
])('rejects %j', (entries: unknown, message) => {
  expect(() => readAgentEntries(entries)).toThrow(message);
});

test('an agent may be called "agents"', () => {
  const entries = { agents: { url: 'https://a.example' } };
  expect(readAgentEntries(entries)).toEqual(entries);
});
