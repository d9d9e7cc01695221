import type { JsonObject } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { grpcProcedure } from '@holdword/protocol/internal/grpc';
import { expect, onTestFinished, test } from 'vitest';
import { demoAgent } from '../executors/demo-agent.ts';
import { startRuntime } from '../runtime.ts';
import type { Authentication } from '../serve/auth/authentication.ts';
import { serveRuntime } from '../serve/serve-runtime.ts';
import { grpcClient } from '../serve/testing/grpc-client.ts';
import { addConnectedAgent } from './connected-agents.ts';
import { connectWorker } from './connect-worker.ts';
import { hostAgents } from './hosted-agents.ts';

const byName: Authentication = {
  securitySchemes: {},
  challenge: 'Bearer',
  authenticate: async (headers) => ({ id: `key:${String(headers['x-name'])}`, authenticated: true }),
};

/** A server with an agent of its own, and a connected agent, which says who called it. */
async function startHost() {
  const store = openMemoryStore();
  const records = openMemoryStore();
  const agents = await hostAgents({ store, records });
  const runtime = await startRuntime({ store: records, executor: demoAgent });
  const served = await serveRuntime({
    runtime,
    port: 0,
    grpcPort: 0,
    authentication: byName,
    grpcRoute: agents.grpcRoute,
    fallback: ({ url, grpcAddress }) => agents.mount({ url, grpcAddress, authentication: byName }),
  });
  const { token } = await addConnectedAgent(records, { name: 'laptop', callers: ['ada'] });
  const worker = await connectWorker({
    host: served.url,
    token,
    executor: { execute: (turn, sink) => sink.complete(`${turn.owner.caller} in "${turn.owner.tenant}"`) },
  });
  onTestFinished(async () => {
    await worker.stop({ graceMilliseconds: 0 });
    await Promise.all([agents.stop({ graceMilliseconds: 0 }), runtime.stop({ graceMilliseconds: 0 })]);
    await served.close({ graceMilliseconds: 0 });
  });
  return served;
}

const SEND = grpcProcedure('sendMessage', '1.0');
const GET = grpcProcedure('getTask', '1.0');

test('a connected agent is reached over gRPC by the tenant on its card', async () => {
  const { url, grpcAddress = '' } = await startHost();
  const response = await fetch(`${url}/agents/laptop`);
  const card = (await response.json()) as { supportedInterfaces: { protocolBinding: string }[] };
  const interfaces = card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === 'GRPC');
  expect(interfaces).toEqual([
    { url: grpcAddress, protocolBinding: 'GRPC', tenant: 'agents/laptop', protocolVersion: '1.0' },
    { url: grpcAddress, protocolBinding: 'GRPC', tenant: 'agents/laptop', protocolVersion: '1.1' },
  ]);

  const client = bytesClient(grpcAddress);
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  const ada = { 'x-name': 'ada' };
  const sent = (await client(SEND, { tenant: 'agents/laptop/acme', message }, ada)) as {
    task: { id: string; status: { message: { parts: { text: string }[] } } };
  };
  expect(sent.task.status.message.parts[0]?.text).toBe('key:ada in "acme"');
  const { id } = sent.task;
  await expect(client(GET, { tenant: 'agents/laptop/acme', id }, ada)).resolves.toMatchObject({ id });
  await expect(client(GET, { tenant: 'agents/laptop', id }, ada)).rejects.toThrow('not found');
  await expect(client(GET, { id }, ada)).rejects.toThrow('not found');
  await expect(client(SEND, { tenant: 'agents/laptop', message }, { 'x-name': 'bob' })).rejects.toThrow(
    'not one of those that may call agent laptop',
  );
  await expect(client(SEND, { tenant: 'agents/desktop', message }, ada)).rejects.toThrow(
    'no agent named "desktop"',
  );
});

const same = (bytes: Buffer): Buffer => bytes;

function bytesClient(address: string) {
  const client = grpcClient(address);
  return async (
    procedure: typeof SEND,
    request: JsonObject,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    const method = {
      path: procedure.path,
      requestStream: false,
      responseStream: false,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    };
    const { response } = await client.unary(method, procedure.encodeRequest(request), headers);
    return procedure.decodeResponse(response);
  };
}
