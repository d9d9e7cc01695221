import type { AgentCard } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { startTestServer } from './testing/test-server.ts';

const CARD = '/.well-known/agent-card.json';

describe('the cards', () => {
  it('serves a card of 1.0 without any field of 0.3', async () => {
    const url = await startTestServer();
    const response = await fetch(url + CARD);
    const card = (await response.json()) as AgentCard;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toContain('max-age=');
    expect(card.supportedInterfaces[0]).toEqual({
      url: 'http://agent.example/a2a/jsonrpc',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    });
    expect(card).not.toHaveProperty('url');
  });

  it('serves a card of 0.3 at its own path, and at the shared one to who asks for 0.3', async () => {
    const url = await startTestServer();
    const own = await (await fetch(`${url}/.well-known/agent.json`)).json();
    const shared = await (await fetch(url + CARD, { headers: { 'A2A-Version': '0.3' } })).json();
    expect(own).toMatchObject({ protocolVersion: '0.3.0', url: 'http://agent.example/a2a/jsonrpc' });
    expect(shared).toEqual(own);
  });

  it.each([
    ['If-None-Match', 'etag'],
    ['If-Modified-Since', 'last-modified'],
  ])('answers 304 when %s names the copy the client has', async (condition, validator) => {
    const url = await startTestServer();
    const first = await fetch(url + CARD);
    await first.text();
    const again = await fetch(url + CARD, { headers: { [condition]: first.headers.get(validator) ?? '' } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it('sends the card again when the tag is another one, even if the date fits', async () => {
    const url = await startTestServer();
    const headers = {
      'If-None-Match': '"other"',
      'If-Modified-Since': new Date(Date.now() + 9e6).toUTCString(),
    };
    expect((await fetch(url + CARD, { headers })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const url = await startTestServer();
    const get = await fetch(url + CARD);
    const head = await fetch(url + CARD, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
    expect(await head.text()).toBe('');
  });
});

describe('other paths', () => {
  it('says at / what this is and where the card is, and at /healthz that it runs', async () => {
    const url = await startTestServer();
    expect(await (await fetch(url)).json()).toMatchObject({ agent: 'Test', card: CARD });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  });

  it('answers an unknown path with a JSON error', async () => {
    const response = await fetch(`${await startTestServer()}/nothing<here>`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 404, message: expect.stringContaining(CARD) },
    });
  });

  it.each([
    ['GET', '/a2a/jsonrpc', 'POST'],
    ['POST', CARD, 'GET, HEAD'],
    ['PUT', '/a2a/rest/message:send', 'POST'],
  ])('answers %s %s with 405 and the verbs that are allowed', async (verb, path, allowed) => {
    const headers = { 'A2A-Version': '1.0' };
    const response = await fetch((await startTestServer()) + path, { method: verb, headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allowed);
    expect(await response.json()).toMatchObject({ error: { code: 405 } });
  });

  it('answers below a base path', async () => {
    const url = await startTestServer({ basePath: '/agents/test/' });
    expect((await fetch(`${url}/agents/test${CARD}`)).status).toBe(200);
    expect(await (await fetch(`${url}/agents/test`)).json()).toMatchObject({ card: `/agents/test${CARD}` });
  });
});
