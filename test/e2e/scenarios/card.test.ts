import { AgentCard as SdkAgentCard } from '@a2a-js/sdk';
import {
  FORK_EXTENSION,
  IDEMPOTENCY_EXTENSION,
  RESUME_EXTENSION,
  verifyCard,
  type AgentCard,
} from '@holdword/protocol';
import { agentCardSchema, canonicalizeCard } from '@holdword/protocol/internal';
import { exportJWK, flattenedVerify, generateKeyPair } from 'jose';
import { expect } from 'vitest';
import type { DriverTarget } from '../../support/drivers/driver.ts';
import { callHttp } from '../../support/drivers/http-client.ts';
import { asObject } from '../../support/drivers/json-objects.ts';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import { scenarios } from '../scenarios.ts';

const CARD_PATH = '/.well-known/agent-card.json';

async function fetchCard({ baseUrl }: DriverTarget): Promise<{ json: unknown; card: AgentCard }> {
  const answer = await callHttp({ url: `${baseUrl}${CARD_PATH}` });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const json: unknown = JSON.parse(answer.body);
  return { json, card: agentCardSchema.parse(json) };
}

scenarios('The card', {}, ({ check }) => {
  check(
    {
      it: 'is a valid 1.0 card for a plain GET, and has no other fields for a client that asks for 1.0',
      covers: ['CARD-WELL-KNOWN', 'CARD-VALID'],
      surfaces: ['CARD'],
    },
    async ({ target }) => {
      const { json, card } = await fetchCard(target);
      const url = `${target.baseUrl}${CARD_PATH}`;
      const pure = await callHttp({ url, headers: { 'a2a-version': '1.0' } });
      expect(JSON.parse(pure.body)).toEqual(card);
      expect(SdkAgentCard.toJSON(SdkAgentCard.fromJSON(json))).toMatchObject({
        name: SCRIPTED_CARD.name,
        description: SCRIPTED_CARD.description,
        version: '1.2.3',
        skills: SCRIPTED_CARD.skills,
      });
      for (const required of [
        'supportedInterfaces',
        'defaultInputModes',
        'defaultOutputModes',
        'skills',
      ] as const) {
        expect(card[required].length, required).toBeGreaterThan(0);
      }
    },
  );

  check(
    {
      it: 'lists every binding in both versions with its real URL',
      covers: ['CARD-INTERFACES'],
      surfaces: ['CARD'],
    },
    async ({ target }) => {
      const { card } = await fetchCard(target);
      const urlsOf = (version: string): Record<string, string> =>
        Object.fromEntries(
          card.supportedInterfaces
            .filter(({ protocolVersion }) => protocolVersion === version)
            .map(({ protocolBinding, url }) => [protocolBinding, url]),
        );
      const urls = {
        JSONRPC: target.jsonRpcUrl,
        'HTTP+JSON': target.restUrl,
        GRPC: target.grpcAddress,
      };
      expect(urlsOf('1.0')).toEqual(urls);
      expect(urlsOf('0.3')).toEqual(urls);
      expect(card.supportedInterfaces[0]?.protocolVersion).toBe('1.0');
      expect(target.grpcAddress).toMatch(/^127\.0\.0\.1:\d+$/);
    },
  );

  check(
    {
      it: 'says what the server supports',
      covers: ['CARD-CAPABILITIES', 'CARD-EXTENSIONS'],
      surfaces: ['CARD'],
    },
    async ({ target }) => {
      const { capabilities } = (await fetchCard(target)).card;
      expect(capabilities.streaming).toBe(true);
      expect(capabilities.pushNotifications).toBe(true);
      expect(capabilities.extendedAgentCard ?? false).toBe(false);
      expect(capabilities.extensions?.map(({ uri }) => uri).toSorted()).toEqual([
        FORK_EXTENSION,
        IDEMPOTENCY_EXTENSION,
        RESUME_EXTENSION,
      ]);
      expect(capabilities.extensions?.some(({ required }) => required === true)).toBe(false);
    },
  );

  check(
    { it: 'can be cached and revalidated', covers: ['CARD-CACHING'], surfaces: ['CARD'] },
    async ({ target }) => {
      const url = `${target.baseUrl}${CARD_PATH}`;
      const { headers, body } = await callHttp({ url });
      expect(headers['cache-control']).toContain('max-age=');
      const etag = headers['etag'] ?? '';
      expect(etag).toMatch(/^(W\/)?".+"$/);
      const modified = headers['last-modified'] ?? '';
      expect(Date.parse(modified)).not.toBeNaN();
      for (const condition of [{ 'if-none-match': etag }, { 'if-modified-since': modified }]) {
        const again = await callHttp({ url, headers: condition });
        expect(again.status).toBe(304);
        expect(again.body).toBe('');
        expect(again.headers['etag']).toBe(etag);
      }
      expect((await callHttp({ url, headers: { 'if-none-match': '"other"' } })).body).toBe(body);
      const head = await callHttp({ url, method: 'HEAD' });
      expect([head.status, head.body]).toEqual([200, '']);
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(body));
    },
  );

  check(
    { it: 'has a 0.3 form at the 0.3 path', covers: ['CARD-V03'], surfaces: ['CARD'] },
    async ({ target }) => {
      const card = asObject(
        JSON.parse((await callHttp({ url: `${target.baseUrl}/.well-known/agent.json` })).body),
      );
      expect(card).toMatchObject({
        name: SCRIPTED_CARD.name,
        url: target.jsonRpcUrl,
        preferredTransport: 'JSONRPC',
        capabilities: { streaming: true },
      });
      expect(card['protocolVersion']).toMatch(/^0\.3/);
      expect(card['additionalInterfaces']).toEqual(
        expect.arrayContaining([
          { transport: 'JSONRPC', url: target.jsonRpcUrl },
          { transport: 'HTTP+JSON', url: target.restUrl },
          { transport: 'GRPC', url: target.grpcAddress },
        ]),
      );
      expect(card).not.toHaveProperty('supportedInterfaces');
      // 0.3 has its card where 1.0 has it, and its clients do not name their version.
      const shared = asObject(JSON.parse((await callHttp({ url: `${target.baseUrl}${CARD_PATH}` })).body));
      expect(shared).toMatchObject({ ...card, capabilities: asObject(card['capabilities']) });
      expect(shared).toHaveProperty('supportedInterfaces');
    },
  );
});

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });

scenarios(
  'The signed card',
  { apiKeys: true, signingKey: { key: privateKey, algorithm: 'ES256', keyId: 'test-key' } },
  ({ check }) => {
    check(
      {
        it: 'verifies over its canonical form, and fails if it was changed',
        covers: ['CARD-SIGNATURE'],
        surfaces: ['CARD'],
      },
      async ({ target }) => {
        const { json, card } = await fetchCard(target);
        const [signature] = card.signatures ?? [];
        expect(JSON.parse(Buffer.from(signature?.protected ?? '', 'base64url').toString())).toMatchObject({
          alg: 'ES256',
          typ: 'JOSE',
          kid: 'test-key',
        });
        // Without our own verification: the payload is the canonical JSON of the card as received.
        const payload = Buffer.from(canonicalizeCard(asObject(json))).toString('base64url');
        const jws = { payload, protected: signature?.protected ?? '', signature: signature?.signature ?? '' };
        expect((await flattenedVerify(jws, publicKey)).protectedHeader?.kid).toBe('test-key');

        const jwk = await exportJWK(publicKey);
        expect(await verifyCard(asObject(json), () => jwk)).toEqual({
          status: 'verified',
          keyId: 'test-key',
        });
        expect(await verifyCard({ ...asObject(json), name: 'Impostor' }, () => jwk)).toEqual({
          status: 'invalid',
        });
        expect(await verifyCard(asObject(json), () => undefined)).toEqual({ status: 'unverifiable' });
      },
    );

    check(
      {
        it: 'shows the security schemes, and can be read without credentials',
        covers: ['CARD-SECURITY', 'CARD-WELL-KNOWN'],
        surfaces: ['CARD'],
      },
      async ({ target }) => {
        const { card } = await fetchCard(target);
        const schemes = card.securitySchemes ?? {};
        const kinds = Object.values(schemes).flatMap((scheme) => Object.keys(scheme));
        expect(kinds.toSorted()).toEqual(
          expect.arrayContaining([expect.stringMatching(/^(apiKey|httpAuth)SecurityScheme$/)]),
        );
        const required = (card.securityRequirements ?? []).flatMap(({ schemes: names }) =>
          Object.keys(names ?? {}),
        );
        expect(required.toSorted()).toEqual(Object.keys(schemes).toSorted());
        const sdk = SdkAgentCard.fromJSON(card);
        expect(Object.values(sdk.securitySchemes).every(({ scheme }) => scheme !== undefined)).toBe(true);
      },
    );
  },
);
