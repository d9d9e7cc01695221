import { flag, listOf, origin, path, settings, text } from '@holdword/runtime/internal/settings';
import { object, webAddress } from './setting-parts.ts';

const jwt = object(
  {
    issuer: text.describe('Required value of the `iss` claim.'),
    audience: text.describe('Required value of the `aud` claim.'),
    jwksUrl: webAddress.optional().describe('URL of the JSON Web Key Set of the issuer.'),
    jwksFile: path.optional().describe('File with the public keys of the issuer, as a JSON Web Key Set.'),
    tenantClaim: text
      .optional()
      .describe('Claim that holds the tenant.')
      .register(settings, { defaultText: 'all callers share one tenant' }),
  },
  'expected an object with issuer, audience, and jwksUrl or jwksFile',
).refine(({ jwksUrl, jwksFile }) => (jwksUrl === undefined) !== (jwksFile === undefined), {
  error: 'expected either jwksUrl or jwksFile',
});

/** Who may call the server. */
export const authenticationSettings = object({
  apiKeys: flag
    .optional()
    .describe('Whether API keys are accepted.')
    .register(settings, { defaultText: 'true once `holdword keys add` has created one' }),
  jwt: jwt.optional().describe('Accept JWT bearer tokens of this issuer.'),
})
  .prefault({})
  .describe('How callers authenticate. Without it, the server listens on localhost only.');

/** Which web pages may call it, in the browser of such a caller. */
export const corsSettings = object({
  origins: listOf(origin)
    .default([])
    .describe('Origins of the pages, such as https://app.example; * for all.'),
})
  .prefault({})
  .describe(
    'Which web pages of other origins may call this server (CORS). Every page may read the agent card.',
  );
