import { createGuardedClient } from '@holdword/net/internal';
import type { ProtocolVersion } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startWebServer } from '../testing/start-web-server.ts';
import { openRestWire } from './rest-wire.ts';
import type { Wire } from './wire.ts';

async function openWire(version: ProtocolVersion, status: number, type: string, text: string): Promise<Wire> {
  const { origin } = await startWebServer((_request, response) =>
    response.writeHead(status, { 'Content-Type': type }).end(text),
  );
  const client = createGuardedClient({ trustedOrigins: [origin] });
  onTestFinished(() => client.close());
  return openRestWire({
    client,
    url: origin,
    version,
    extensions: [],
    headers: {},
    allowCallHeaders: true,
    maxResponseBytes: 1_000,
    timeoutMilliseconds: 5_000,
  });
}

test('reads an error without a code by its operation', async () => {
  const wire = await openWire('0.3', 409, 'application/json', '{"message":"It has ended."}');
  await expect(wire.call('cancelTask', { id: 't' }, {})).rejects.toMatchObject({
    code: 'TASK_NOT_CANCELABLE',
    message: expect.stringContaining('It has ended.') as string,
  });
});

test('reads an error that comes as an event of a stream', async () => {
  const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' };
  const error = { code: 404, status: 'NOT_FOUND', message: 'no such task', details: [reason] };
  const wire = await openWire('1.0', 200, 'text/event-stream', `data: ${JSON.stringify({ error })}\n\n`);
  const events = wire.stream('subscribeToTask', { id: 't' }, {})[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    message: 'no such task',
  });
});
