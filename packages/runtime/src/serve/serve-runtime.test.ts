import { createServer, type AddressInfo } from 'node:net';
import { verifyCard } from '@holdword/protocol';
import { agentCardSchema } from '@holdword/protocol/internal';
import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveRuntime, type ServeRuntimeOptions } from './serve-runtime.ts';
import { serveDemo } from './testing/demo-server.ts';
import { completedTask, fakeOperations, task } from './testing/fake-operations.ts';
import { quietStream } from './testing/streams.ts';
import { callJsonRpc, callRest, MESSAGE } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

describe('serveRuntime', () => {
  it.each([
    [{ port: 'abc' }, 'port: expected a number, found "abc".'],
    [{ port: 70_000 }, 'port: expected a number of at most 65535, found 70000.'],
    [{ grpcPort: 'on' }, 'grpcPort: expected a port, or "off", found "on".'],
    [{ publicUrl: 'agent.example' }, 'publicUrl: expected a URL, found "agent.example".'],
    [
      { publicUrl: 'https://ada:geheim@agent.example' },
      'publicUrl: expected a URL without user and password, because the card is public.',
    ],
    [
      { runtime: Promise.resolve() },
      'runtime: expected a runtime, such as await startRuntime({ store, executor }), found a promise.',
    ],
  ])('rejects %j before it listens', async (options, problem) => {
    const given = { runtime: { agent: {}, operations: fakeOperations({}) }, ...options };
    await expect(serveRuntime(given as unknown as ServeRuntimeOptions)).rejects.toThrow(
      new TypeError(`serveRuntime({ runtime }): ${problem}`),
    );
  });

  it('listens on free ports and puts the real addresses on the card', async () => {
    const served = await serveDemo({ grpcPort: 0 });
    expect(served.port).toBeGreaterThan(0);
    expect(served.grpcAddress).toBe(`127.0.0.1:${served.grpcPort}`);
    const card = agentCardSchema.parse(await (await fetch(served.cardUrl)).json());
    expect(card).toEqual(served.card);
    expect(
      card.supportedInterfaces.map((each) => [each.protocolBinding, each.protocolVersion, each.url]),
    ).toEqual([
      ['JSONRPC', '1.0', served.jsonRpcUrl],
      ['HTTP+JSON', '1.0', served.restUrl],
      ['GRPC', '1.0', served.grpcAddress],
      ['JSONRPC', '1.1', served.jsonRpcUrl],
      ['HTTP+JSON', '1.1', served.restUrl],
      ['GRPC', '1.1', served.grpcAddress],
      ['JSONRPC', '0.3', served.jsonRpcUrl],
      ['HTTP+JSON', '0.3', served.restUrl],
      ['GRPC', '0.3', served.grpcAddress],
    ]);
  });

  it("lets a fallback answer at paths that are not the agent's", async () => {
    const asked: string[] = [];
    const served = await serveDemo({
      fallback: (agent) => (path, query, _request, response) => {
        asked.push(path);
        if (path !== '/hub') return false;
        response.end(`${agent.url} ${agent.card.name} ${query}`);
        return true;
      },
    });
    const answer = await (await fetch(`${served.url}/hub?a=b`)).text();
    expect(answer).toBe(`${served.url} ${served.card.name} a=b`);
    expect((await fetch(`${served.url}/nowhere`)).status).toBe(404);
    expect((await fetch(served.cardUrl)).status).toBe(200);
    expect(asked).toEqual(['/hub', '/nowhere']);
  });

  it('answers a message of a real agent', async () => {
    const served = await serveDemo();
    const params = { message: { ...MESSAGE, parts: [{ text: 'echo hello' }] } };
    expect(await (await callJsonRpc(served.url, 'SendMessage', params)).json()).toMatchObject({
      result: {
        task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'hello' }] }] },
      },
    });
  });

  it('names its public address, and answers below its path', async () => {
    const served = await serveDemo({ publicUrl: 'https://agent.example/demo/', grpcPort: 0 });
    expect(served.cardUrl).toBe('https://agent.example/demo/.well-known/agent-card.json');
    expect(served.grpcAddress).toBe(`agent.example:${served.grpcPort}`);
    for (const path of ['/demo/.well-known/agent-card.json', '/.well-known/agent-card.json']) {
      expect((await fetch(`http://127.0.0.1:${served.port}${path}`)).status).toBe(200);
    }
  });

  it('puts the security schemes on the card', async () => {
    const { card } = await serveDemo({ authentication: userAuthentication });
    expect(card.securitySchemes).toEqual(userAuthentication.securitySchemes);
    expect(card.securityRequirements).toEqual([{ schemes: { user: { list: [] } } }]);
  });

  it('signs the card', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const signingKey = { key: privateKey, algorithm: 'ES256', keyId: 'k-1' };
    const { cardUrl } = await serveDemo({ signingKey });
    const card = agentCardSchema.parse(await (await fetch(cardUrl)).json());
    const jwk = await exportJWK(publicKey);
    expect(await verifyCard(card, () => Promise.resolve(jwk))).toMatchObject({ status: 'verified' });
  });

  it('returns the extended card to authenticated callers', async () => {
    const served = await serveDemo({
      authentication: userAuthentication,
      extendedAgent: async (owner) => ({ name: `For ${owner.caller}`, description: 'More.' }),
    });
    expect(served.card.capabilities.extendedAgentCard).toBe(true);
    const response = await callJsonRpc(served.url, 'GetExtendedAgentCard', {}, { 'X-User': 'alice' });
    expect(await response.json()).toMatchObject({
      result: { name: 'For alice', supportedInterfaces: served.card.supportedInterfaces },
    });
  });

  it('says what to do when a port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(serveDemo({ port })).rejects.toThrow(`port ${port}: the port is already in use`);
    const errors = vi.spyOn(console, 'error');
    onTestFinished(() => errors.mockRestore());
    await expect(serveDemo({ grpcPort: port })).rejects.toThrow(
      `port ${port} (gRPC, --grpc-port): the port is already in use`,
    );
    expect(errors).not.toHaveBeenCalled();
  });

  it('rejects a public address without authentication', async () => {
    await expect(serveDemo({ host: '0.0.0.0' })).rejects.toThrow('or serve it with authentication.');
  });

  it.each([10_000, Infinity])(
    'ends streams and lets requests finish within %d ms when it closes',
    async (graceMilliseconds) => {
      const begun = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const operations = fakeOperations({
        sendMessage: async () => {
          begun.resolve();
          await finish.promise;
          return { task: completedTask('t-1') };
        },
        subscribeToTask: async (_, context) => quietStream(context),
      });
      const agent = { name: 'Test', description: 'An agent for tests.' };
      const served = await serveRuntime({ runtime: { agent, operations }, port: 0 });
      const stream = await callRest(served.url, 'GET', '/tasks/t-1:subscribe');
      const call = callJsonRpc(served.url, 'SendMessage', { message: MESSAGE });
      await begun.promise;

      const closed = served.close({ graceMilliseconds });
      expect(await stream.text()).toBe(`id: 1\ndata: ${task('t-1')}\n\n`);
      await expect(fetch(served.cardUrl)).rejects.toThrow('fetch failed');
      finish.resolve();
      expect(await (await call).json()).toMatchObject({ result: { task: { id: 't-1' } } });
      await closed;
    },
  );
});
