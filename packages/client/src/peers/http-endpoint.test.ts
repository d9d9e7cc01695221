import type { RequestListener } from 'node:http';
import { createGuardedClient, type ServerSentEvent } from '@holdword/net/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWebServer } from '../testing/start-web-server.ts';
import { HttpEndpoint, type HttpRequest } from './http-endpoint.ts';

async function openEndpoint(answer: RequestListener): Promise<{ endpoint: HttpEndpoint; call: HttpRequest }> {
  const { origin } = await startWebServer(answer);
  const client = createGuardedClient({ trustedOrigins: [origin] });
  onTestFinished(() => client.close());
  const endpoint = new HttpEndpoint({
    client,
    allowCallHeaders: true,
    headers: { 'X-Key': 'k' },
    maxResponseBytes: 100,
    timeoutMilliseconds: 5_000,
  });
  return {
    endpoint,
    call: { url: `${origin}/a`, method: 'POST', headers: {}, body: '{}', repeatable: false },
  };
}

async function collect(events: AsyncIterable<ServerSentEvent>): Promise<ServerSentEvent[]> {
  const all: ServerSentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('responses', () => {
  test('are parsed, and requests carry the headers', async () => {
    const { endpoint, call } = await openEndpoint((request, response) =>
      response.end(JSON.stringify({ key: request.headers['x-key'], accept: request.headers.accept })),
    );
    expect(await endpoint.callJson(call, {})).toEqual({ key: 'k', accept: 'application/json' });
  });

  test.each([
    ['are no JSON', 'hello'],
    ['are too long', JSON.stringify('x'.repeat(200))],
  ])('that %s are rejected', async (_, body) => {
    const { endpoint, call } = await openEndpoint((_request, response) => response.end(body));
    await expect(endpoint.callJson(call, {})).rejects.toMatchObject({ code: 'INVALID_AGENT_RESPONSE' });
  });

  test('with an error status become errors with Retry-After', async () => {
    const { endpoint, call } = await openEndpoint((_, response) =>
      response.writeHead(429, { 'Retry-After': '3' }).end(),
    );
    const refusal = { code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 3 };
    await expect(endpoint.callJson(call, {})).rejects.toMatchObject(refusal);
    await expect(collect(endpoint.events(call, {}))).rejects.toMatchObject(refusal);
  });

  test.each([40 * 24 * 60 * 60_000, Infinity])(
    'have time for their body: %d ms',
    async (timeoutMilliseconds) => {
      const { endpoint, call } = await openEndpoint((_, response) => {
        response.write('{');
        setTimeout(() => response.end('}'), 30);
      });
      expect(await endpoint.callJson(call, { timeoutMilliseconds })).toEqual({});
    },
  );

  test('whose body does not end time out', async () => {
    const { endpoint, call } = await openEndpoint((_, response) => void response.write('{'));
    await expect(endpoint.callJson(call, { timeoutMilliseconds: 100 })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: 'the request timed out',
    });
  });

  test("can be aborted, with the caller's reason", async () => {
    const { endpoint, call } = await openEndpoint((_, response) => void response.write('{'));
    const leaving = new AbortController();
    const reason = new Error('enough');
    const calling = endpoint.callJson(call, { signal: leaving.signal });
    setTimeout(() => leaving.abort(reason), 50);
    await expect(calling).rejects.toBe(reason);
  });
});

describe('streams', () => {
  test('are read as they arrive, beyond the timeout of a response', async () => {
    const { endpoint, call } = await openEndpoint((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.write(`id: 1\ndata: "${request.headers.accept}"\n\n`);
      setTimeout(() => response.end('id: 2\ndata: "late"\n\n'), 250);
    });
    expect(await collect(endpoint.events(call, { timeoutMilliseconds: 150 }))).toEqual([
      { type: 'message', data: '"text/event-stream"', json: 'text/event-stream', id: '1' },
      { type: 'message', data: '"late"', json: 'late', id: '2' },
    ]);
  });

  test('can be answered with plain JSON', async () => {
    const { endpoint, call } = await openEndpoint((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":1}'),
    );
    expect(await collect(endpoint.events(call, {}))).toEqual([
      { type: 'answer', data: '{"a":1}', json: { a: 1 } },
    ]);
  });
});
