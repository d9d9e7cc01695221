import { createGuardedClient } from '@holdword/net/internal';
import { expect, onTestFinished, test } from 'vitest';
import { startWebServer } from '../testing/start-web-server.ts';
import { openJsonRpcWire } from './json-rpc-wire.ts';
import type { Wire } from './wire.ts';

async function openWire(answer: object): Promise<Wire> {
  const { origin } = await startWebServer((_request, response) => response.end(JSON.stringify(answer)));
  const client = createGuardedClient({ trustedOrigins: [origin] });
  onTestFinished(() => client.close());
  return openJsonRpcWire({
    client,
    url: origin,
    version: '1.0',
    extensions: [],
    headers: {},
    allowCallHeaders: true,
    maxResponseBytes: 1_000,
    timeoutMilliseconds: 5_000,
  });
}

test.each([{ id: 1 }, { id: '1' }, { id: null }, {}])('accepts a response with %j', async (id) => {
  const wire = await openWire({ jsonrpc: '2.0', ...id, result: { answer: 42 } });
  expect(await wire.call('getTask', { id: 't' }, {})).toEqual({ answer: 42 });
});

test('rejects the response to another request', async () => {
  const wire = await openWire({ jsonrpc: '2.0', id: 'another', result: { answer: 42 } });
  await expect(wire.call('getTask', { id: 't' }, {})).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    message: expect.stringContaining('has the id of another request') as string,
  });
});
