import { openMemoryStore } from '@holdword/store';
import { expect, it } from 'vitest';
import { userAuthentication } from '../testing/user-authentication.ts';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import type { RequestHeaders } from './authentication.ts';
import { requireCaller } from './require-caller.ts';

const SCHEMES = 'Send one of: apiKey, apiKeyBearer (the agent card describes them under securitySchemes).';

it.each<[RequestHeaders, string]>([
  [{}, 'none'],
  [
    { authorization: 'Bearer s3cret' },
    "an Authorization header of the scheme Bearer that is none of this agent's",
  ],
  [{ authorization: 'Bearer' }, "an Authorization header of the scheme Bearer that is none of this agent's"],
  [
    { authorization: ['basic s3cret'] },
    "an Authorization header of the scheme basic that is none of this agent's",
  ],
  [{ authorization: 's3cret' }, 'an Authorization header of another scheme'],
  [{ authorization: 's3cret more' }, 'an Authorization header of another scheme'],
])('says of %j what was found, without the secret', async (headers, found) => {
  const authentication = apiKeyAuthentication(openMemoryStore());
  await expect(requireCaller(authentication, headers)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    message: `Expected a credential, found ${found}. ${SCHEMES}`,
  });
});

it('says that a key was found where keys are not known', async () => {
  await expect(requireCaller(userAuthentication, { 'x-api-key': 's3cret' })).rejects.toThrow(
    "Expected a credential, found an X-API-Key header that is none of this agent's. Send one of: user",
  );
});
