import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { chooseAuthentication } from './choose-authentication.ts';

test.each([
  ['is not there', undefined, 'but it does not exist.'],
  ['is not JSON', '-----BEGIN PUBLIC KEY-----', 'but it is not JSON.'],
  ['holds something else', '{ "kty": "EC" }', 'but it is no JSON Web Key Set.'],
])('a file of keys that %s is named', async (_case, content, reason) => {
  const jwksFile = join((await makeHoldwordFolder()).path, 'keys.json');
  if (content !== undefined) await writeFile(jwksFile, content);
  const jwt = { issuer: 'https://id.example.org/', audience: 'agent', jwksFile };
  await expect(
    chooseAuthentication({ authentication: { jwt } }, openMemoryStore(), noopLog),
  ).rejects.toMatchObject({
    name: 'CommandError',
    message: `authentication.jwt.jwksFile: expected a file with a JSON Web Key Set at ${jwksFile}, ${reason}`,
  });
});
