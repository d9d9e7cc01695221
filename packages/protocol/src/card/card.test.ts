import { AgentCard as SdkAgentCard } from '@a2a-js/sdk';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { OWN_EXTENSIONS } from '../extensions.ts';
import { toLegacyCard } from '../legacy/v03-card.ts';
import { agentCardSchema, type AgentCard } from './agent-card.ts';
import { buildAgentCard, type AgentCardInput } from './build-agent-card.ts';
import { canonicalizeCard } from './canonical-card.ts';
import { signCard, verifyCard, type CardSigningKey } from './card-signatures.ts';

const input: AgentCardInput = {
  name: 'Demo',
  description: '',
  skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: [] }],
  endpoints: [
    { url: 'http://a.example/jsonrpc', binding: 'JSONRPC' },
    { url: 'http://a.example/rest', binding: 'HTTP+JSON', urls: { '0.3': 'http://a.example/rest/v1' } },
    { url: 'a.example:4311', binding: 'GRPC', versions: ['1.0'] },
  ],
  extensions: OWN_EXTENSIONS.map((uri) => ({ uri })),
  securitySchemes: {
    apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    jwt: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
  },
  securityRequirements: [{ schemes: { apiKey: { list: [] } } }, { schemes: { jwt: { list: ['a'] } } }],
};
const card = buildAgentCard(input);

describe('buildAgentCard', () => {
  it('builds a valid card without unknown fields', () => {
    expect(agentCardSchema.parse(card)).toEqual(card);
    expect(SdkAgentCard.toJSON(SdkAgentCard.fromJSON(card))).toMatchObject({
      name: 'Demo',
      securitySchemes: input.securitySchemes,
      supportedInterfaces: card.supportedInterfaces,
    });
  });

  it('lists the interfaces of 1.0 first, in the order of preference', () => {
    expect(card.supportedInterfaces).toEqual([
      { url: 'http://a.example/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'http://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: 'a.example:4311', protocolBinding: 'GRPC', protocolVersion: '1.0' },
      { url: 'http://a.example/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.1' },
      { url: 'http://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.1' },
      { url: 'http://a.example/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: 'http://a.example/rest/v1', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ]);
  });

  it('requires none of the extensions', () => {
    expect(card.capabilities.extensions).toEqual(OWN_EXTENSIONS.map((uri) => ({ uri })));
  });

  it('adds nothing to its input', () => {
    expect(buildAgentCard({ name: 'a', description: 'b', endpoints: [] })).toEqual({
      name: 'a',
      description: 'b',
      version: '1.0.0',
      supportedInterfaces: [],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    });
  });
});

describe('toLegacyCard', () => {
  it('has the fields of 0.3 and none of 1.0', () => {
    expect(toLegacyCard(card)).toEqual({
      protocolVersion: '0.3.0',
      name: 'Demo',
      description: '',
      version: '1.0.0',
      url: 'http://a.example/jsonrpc',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [
        { url: 'http://a.example/jsonrpc', transport: 'JSONRPC' },
        { url: 'http://a.example/rest/v1', transport: 'HTTP+JSON' },
      ],
      capabilities: {
        streaming: true,
        pushNotifications: false,
        extensions: OWN_EXTENSIONS.map((uri) => ({ uri, required: false })),
      },
      supportsAuthenticatedExtendedCard: false,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        jwt: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
      },
      security: [{ apiKey: [] }, { jwt: ['a'] }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: [] }],
    });
  });

  it('converts the other security schemes', () => {
    const scopes = { read: 'Read' };
    const legacy = toLegacyCard({
      ...card,
      securitySchemes: {
        oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example' } },
        mtls: { mtlsSecurityScheme: { description: 'certificates' } },
        code: {
          oauth2SecurityScheme: {
            flows: {
              authorizationCode: { authorizationUrl: 'a', tokenUrl: 't', scopes, pkceRequired: true },
            },
          },
        },
        machine: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 't', scopes } } } },
        device: {
          oauth2SecurityScheme: {
            flows: { deviceCode: { deviceAuthorizationUrl: 'd', tokenUrl: 't', scopes } },
          },
        },
      },
    });
    expect(legacy['securitySchemes']).toEqual({
      oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' },
      mtls: { type: 'mutualTLS', description: 'certificates' },
      code: {
        type: 'oauth2',
        flows: { authorizationCode: { authorizationUrl: 'a', tokenUrl: 't', scopes } },
      },
      machine: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 't', scopes } } },
      device: { type: 'oauth2', flows: {} },
    });
  });

  it('rejects a card without a 0.3 interface', () => {
    const modern = buildAgentCard({
      ...input,
      endpoints: [{ url: 'x', binding: 'JSONRPC', versions: ['1.0'] }],
    });
    expect(() => toLegacyCard(modern)).toThrow(expect.objectContaining({ code: 'VERSION_NOT_SUPPORTED' }));
  });
});

describe('canonicalizeCard', () => {
  it('keeps empty REQUIRED fields and optional ones that are set, and drops other fields at their default', () => {
    const text = canonicalizeCard({
      name: 'Example',
      description: '',
      version: '',
      documentationUrl: '',
      supportedInterfaces: [{ url: 'u', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
      capabilities: {
        streaming: false,
        extensions: [{ uri: 'urn:x', description: '', required: false, params: { kept: '', too: null } }],
      },
      securitySchemes: {},
      securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: {} }],
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 's', name: '', description: '', tags: [], examples: [], inputModes: [] }],
      signatures: [{ protected: 'p', signature: 's' }],
      iconUrl: null,
    });
    expect(JSON.parse(text)).toEqual({
      name: 'Example',
      description: '',
      version: '',
      documentationUrl: '',
      supportedInterfaces: [{ url: 'u', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {
        streaming: false,
        extensions: [{ uri: 'urn:x', params: { kept: '', too: null } }],
      },
      securityRequirements: [{ schemes: { key: {} } }, {}],
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 's', name: '', description: '', tags: [] }],
    });
    expect(text.startsWith('{"capabilities":{"extensions":[{"params":')).toBe(true);
  });

  it('prunes security schemes', () => {
    const flow = { authorizationUrl: '', tokenUrl: '', scopes: {}, refreshUrl: '', pkceRequired: false };
    const scheme = { description: '', flows: { authorizationCode: flow } };
    expect(canonicalizeCard({ ...card, securitySchemes: { o: { oauth2SecurityScheme: scheme } } })).toContain(
      '"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":' +
        '{"authorizationUrl":"","scopes":{},"tokenUrl":""}}}}}',
    );
  });

  it('keeps unknown fields', () => {
    expect(canonicalizeCard({ ...card, newField: { empty: '' } })).toContain('"newField":{"empty":""}');
  });
});

describe.each(['ES256', 'EdDSA', 'RS256'])('a card signed with %s', (algorithm) => {
  let signingKey: CardSigningKey;
  let publicKey: Awaited<ReturnType<typeof exportJWK>>;
  let signed: AgentCard;

  beforeAll(async () => {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    signingKey = { key: pair.privateKey, algorithm, keyId: 'k-1', keySetUrl: 'https://a.example/jwks.json' };
    publicKey = await exportJWK(pair.publicKey);
    signed = await signCard(card, signingKey);
  });

  it('is verified with the key it names', async () => {
    const asked: unknown[] = [];
    const verification = await verifyCard(signed, (hint) => {
      asked.push(hint);
      return publicKey;
    });
    expect(verification).toEqual({ status: 'verified', keyId: 'k-1' });
    expect(asked).toEqual([{ algorithm, keyId: 'k-1', keySetUrl: 'https://a.example/jwks.json' }]);
  });

  it('names its key in the protected header', () => {
    const header = JSON.parse(Buffer.from(signed.signatures?.[0]?.protected ?? '', 'base64url').toString());
    expect(header).toEqual({ alg: algorithm, typ: 'JOSE', kid: 'k-1', jku: 'https://a.example/jwks.json' });
  });

  it('stays verified if names are reordered or default values are added', async () => {
    const reordered = Object.fromEntries(
      Object.entries({ ...signed, securityRequirements: card.securityRequirements }).toReversed(),
    );
    expect(await verifyCard(reordered, () => publicKey)).toMatchObject({ status: 'verified' });
  });

  it('is invalid after any change', async () => {
    for (const change of [{ name: 'Other' }, { skills: [] }, { iconUrl: '' }, { newField: true }]) {
      expect(await verifyCard({ ...signed, ...change }, () => publicKey)).toEqual({ status: 'invalid' });
    }
  });

  it('is verified by its second signature if the first is by an unknown key', async () => {
    const stranger = await generateKeyPair('ES256', { extractable: true });
    const first = await signCard(card, { key: stranger.privateKey, algorithm: 'ES256', keyId: 'stranger' });
    const both = await signCard(first, signingKey);
    expect(both.signatures).toHaveLength(2);
    expect(await verifyCard(both, ({ keyId }) => (keyId === 'k-1' ? publicKey : undefined))).toEqual({
      status: 'verified',
      keyId: 'k-1',
    });
  });

  it('is unverifiable without a trusted key', async () => {
    expect(await verifyCard(signed, () => undefined)).toEqual({ status: 'unverifiable' });
  });
});

describe('verifyCard', () => {
  it('reports a card without signatures', async () => {
    expect(await verifyCard(card, () => undefined)).toEqual({ status: 'absent' });
  });

  it.each([
    ['a header that is not JSON', { protected: '%%%', signature: 'x' }],
    [
      'the algorithm none',
      { protected: Buffer.from('{"alg":"none"}').toString('base64url'), signature: 'x' },
    ],
    [
      'a symmetric algorithm',
      { protected: Buffer.from('{"alg":"HS256"}').toString('base64url'), signature: 'x' },
    ],
  ])('does not resolve a key for %s', async (_name, signature) => {
    const resolved: unknown[] = [];
    const verification = await verifyCard({ ...card, signatures: [signature] }, (hint) => {
      resolved.push(hint);
      return { kty: 'oct', k: 'c2VjcmV0' };
    });
    expect(verification).toEqual({ status: 'unverifiable' });
    expect(resolved).toEqual([]);
  });

  it('reports malformed signatures as unverifiable', async () => {
    expect(await verifyCard({ ...card, signatures: 'yes' }, () => undefined)).toEqual({
      status: 'unverifiable',
    });
  });
});
