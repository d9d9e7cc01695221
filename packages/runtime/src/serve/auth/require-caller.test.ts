import { openMemoryStore } from '@holdword/store';
import { expect, it } from 'vitest';
import { userAuthentication } from '../testing/user-authentication.ts';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import type { RequestHeaders } from './authentication.ts';
import { requireCaller } from './require-caller.ts';

const SCHEMES = 'Send one of: apiKey, apiKeyBearer (the agent card describes them under securitySchemes).';

it.each<[RequestHeaders, string]>([
  [{}, 'none'],
  [{ authorization: 'Bearer s3cret' }, 'an Authorization header (Bearer) that this agent does not recognize'],
  [{ authorization: 'Bearer' }, 'an Authorization header (Bearer) that this agent does not recognize'],
  [{ authorization: ['basic s3cret'] }, 'an Authorization header (basic) that this agent does not recognize'],
  [{ authorization: 's3cret' }, 'an Authorization header with another scheme'],
  [{ authorization: 's3cret more' }, 'an Authorization header with another scheme'],
])('says what was found in %j, without the secret', async (headers, found) => {
  const authentication = apiKeyAuthentication(openMemoryStore());
  await expect(requireCaller(authentication, headers)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    message: `Authentication required: found ${found}. ${SCHEMES}`,
  });
});

it('says that a key was found if keys are not supported', async () => {
  await expect(requireCaller(userAuthentication, { 'x-api-key': 's3cret' })).rejects.toThrow(
    'Authentication required: found an X-API-Key header that this agent does not recognize. Send one of: user',
  );
});
