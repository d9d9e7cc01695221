import { expect, test } from 'vitest';
import { CallSettings } from './call-settings.ts';
import { credentialsFor } from './credentials.ts';

function settings(values: Record<string, string>): CallSettings {
  return new CallSettings(
    new Map(Object.entries(values).map(([name, value]) => [name, [{ value, source: `--${name}` }]])),
  );
}

const BEARER = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
const KEY = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } };

test.each([
  ['1.0, bearer', BEARER, { bearer: 'T' }, { Authorization: 'Bearer T' }],
  ['1.0, key', KEY, { 'api-key': 'K' }, { 'X-Key': 'K' }],
  ['1.0, OAuth', { o: { oauth2SecurityScheme: {} } }, { bearer: 'T' }, { Authorization: 'Bearer T' }],
  ['0.3, bearer', { b: { type: 'http', scheme: 'bearer' } }, { bearer: 'T' }, { Authorization: 'Bearer T' }],
  [
    '0.3, key',
    { k: { type: 'apiKey', in: 'cookie', name: 'key' } },
    { 'api-key': 'a b' },
    { Cookie: 'key=a%20b' },
  ],
])('%s: sent as the card says', (_name, securitySchemes, given, headers) => {
  expect(credentialsFor({ securitySchemes }, settings(given))).toMatchObject({ headers, warnings: [] });
});

test.each([
  [
    'no scheme',
    {},
    { bearer: 'T' },
    'The bearer token was not sent: no security scheme of the card takes one.',
  ],
  [
    'keys only',
    KEY,
    { bearer: 'T' },
    'The bearer token was not sent: no security scheme of the card takes one. It takes API keys.',
  ],
  [
    'tokens only',
    BEARER,
    { 'api-key': 'K' },
    'The API key was not sent: no security scheme of the card takes one. It takes bearer tokens.',
  ],
])('%s: not sent, and said', (_name, securitySchemes, given, warning) => {
  expect(credentialsFor({ securitySchemes }, settings(given))).toMatchObject({
    headers: {},
    warnings: [warning],
  });
});

test('a key goes into an address only if the card asks for it, and with a warning', () => {
  const securitySchemes = { key: { apiKeySecurityScheme: { location: 'query', name: 'key' } } };
  expect(credentialsFor({ securitySchemes }, settings({ 'api-key': 'K' }))).toMatchObject({
    headers: {},
    query: { key: 'K' },
    warnings: [expect.stringContaining('where logs of servers contain it')],
  });
});

test('a login is used where nothing else was given', () => {
  expect(credentialsFor({ securitySchemes: BEARER }, settings({}), 'L').headers).toEqual({
    Authorization: 'Bearer L',
  });
  expect(credentialsFor({ securitySchemes: BEARER }, settings({ bearer: 'T' }), 'L').headers).toEqual({
    Authorization: 'Bearer T',
  });
});
