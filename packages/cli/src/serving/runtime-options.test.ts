import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentCard } from '@holdword/protocol';
import {
  DEFAULT_HOST,
  DEFAULT_LIMITS,
  DEFAULT_PORT,
  DEFAULT_PUSH_OPTIONS,
  DEFAULT_RUNTIME_OPTIONS,
} from '@holdword/runtime/internal/settings';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';
import { testConfig } from '../testing/test-config.ts';
import { readSigningKey, retentionOptions, runtimeOptions, serveOptions } from './runtime-options.ts';

function privateKey(): object {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...key.export({ format: 'jwk' }), alg: 'ES256', kid: 'card-1' };
}

test('the card is signed with the key that the configuration names', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'key.json'), JSON.stringify(privateKey()));
  await writeFile(join(folder.path, 'holdword.config.json'), '{ "card": { "signingKeyFile": "key.json" } }');
  const url = await urlOf(folder.serve());
  const response = await fetch(`${url}/.well-known/agent-card.json`);
  const card: AgentCard = JSON.parse(await response.text());
  const header = Buffer.from(card.signatures?.[0]?.protected ?? '', 'base64url').toString();
  expect(JSON.parse(header)).toMatchObject({ alg: 'ES256', kid: 'card-1' });
});

test.each([
  ['not JSON', '-----BEGIN PRIVATE KEY-----', 'it is not valid JSON'],
  ['without a kid', JSON.stringify({ ...privateKey(), kid: undefined }), 'missing or invalid: kid'],
  ['public', JSON.stringify({ ...privateKey(), d: undefined }), 'missing or invalid: d'],
])('a key that is %s is rejected', async (_case, content, message) => {
  const folder = await makeHoldwordFolder();
  const file = join(folder.path, 'key.json');
  await writeFile(file, content);
  await expect(readSigningKey(file, 'card.signingKeyFile')).rejects.toThrow(message);
});

test('a file that does not exist is named', async () => {
  await expect(readSigningKey('/nowhere/key.json', 'card.signingKeyFile')).rejects.toThrow(
    'Cannot read the signing key /nowhere/key.json (card.signingKeyFile): it does not exist.',
  );
});

test('without settings, the options are the defaults of the runtime', async () => {
  const { push, ...limits } = await runtimeOptions(testConfig());
  expect(DEFAULT_RUNTIME_OPTIONS).toMatchObject(limits);
  expect(push).toMatchObject(DEFAULT_PUSH_OPTIONS);
  const served = await serveOptions(testConfig());
  expect(DEFAULT_LIMITS).toMatchObject(served.limits ?? {});
  expect(served).toMatchObject({ host: DEFAULT_HOST, port: DEFAULT_PORT, grpcPort: DEFAULT_PORT + 1 });
});

async function alsoForget(): Promise<boolean> {
  return true;
}

test('push notifications can be off, and without limits no task is forgotten', async () => {
  expect((await runtimeOptions(testConfig({ push: { enabled: false } }))).push).toBe(false);
  expect(retentionOptions(testConfig(), undefined)).toBeUndefined();
  expect(retentionOptions(testConfig(), alsoForget)).toEqual({ alsoForget });
  expect(retentionOptions(testConfig({ retention: { maxAgeHours: 1 } }), alsoForget)).toEqual({
    maxAgeHours: 1,
    alsoForget,
  });
});
