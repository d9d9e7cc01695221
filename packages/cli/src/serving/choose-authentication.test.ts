import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { chooseAuthentication } from './choose-authentication.ts';

test.each([
  ['does not exist', undefined, 'it does not exist.'],
  ['is not JSON', '-----BEGIN PUBLIC KEY-----', 'it is not valid JSON.'],
  ['is something else', '{ "kty": "EC" }', 'it is not a JSON Web Key Set.'],
])('a key set that %s is named', async (_case, content, reason) => {
  const jwksFile = join((await makeHoldwordFolder()).path, 'keys.json');
  if (content !== undefined) await writeFile(jwksFile, content);
  const jwt = { issuer: 'https://id.example.org/', audience: 'agent', jwksFile };
  await expect(
    chooseAuthentication({ authentication: { jwt } }, openMemoryStore(), noopLog),
  ).rejects.toMatchObject({
    name: 'CommandError',
    message: `Cannot read the JSON Web Key Set ${jwksFile} (authentication.jwt.jwksFile): ${reason}`,
  });
});
