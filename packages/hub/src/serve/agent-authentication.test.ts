import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

interface Interface {
  readonly url: string;
  readonly protocolBinding: string;
}

/** Sends a message to each HTTP endpoint of the card and returns the answers. */
async function sendEverywhere(hub: TestHub, headers: Record<string, string>) {
  const { body: card } = await hub.get('/.well-known/agent-card.json', { 'A2A-Version': '1.0' });
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'ask' }] };
  return Promise.all(
    (card['supportedInterfaces'] as Interface[]).map(async ({ url, protocolBinding }) => {
      const isRpc = protocolBinding === 'JSONRPC';
      const response = await fetch(isRpc ? url : `${url}/message:send`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
        body: JSON.stringify(
          isRpc ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } } : { message },
        ),
      });
      const answer = asObject(await response.json());
      return { url, isError: response.status === 401, answer: asObject(answer['result'] ?? answer) };
    }),
  );
}

test.each([{}, { 'A2A-Version': '1.0' }, { 'A2A-Version': '0.3' }])(
  'the card (%j) leads to the hub',
  async (headers) => {
    const hub = await startTestHub();
    const { body } = await hub.get('/.well-known/agent-card.json', headers);
    const { extensions } = asObject(body['capabilities']);
    expect(extensions).toContainEqual(
      expect.objectContaining({
        uri: 'urn:holdword:a2a:hub:v1',
        params: expect.objectContaining({
          a2a_endpoint: `${hub.url}/v1/a2a`,
          mcp_endpoint: `${hub.url}/v1/mcp`,
        }),
      }),
    );
  },
);

test.each([
  ['x-delx-agent-id', 'x-delx-agent-token'],
  ['x-agent-id', 'x-agent-token'],
])('%s and %s are refused where they would be ignored', async (id, token) => {
  const hub = await startTestHub();
  const { 'x-delx-agent-token': secret = '' } = await hub.register('runner');
  const answers = await sendEverywhere(hub, { [id]: 'runner', [token]: secret });
  expect(answers.length).toBeGreaterThan(1);
  for (const { url, isError, answer } of answers) {
    expect({ url, isError }).toEqual({ url, isError: true });
    expect(JSON.stringify(answer)).toContain('urn:holdword:a2a:hub:v1');
  }
});

test('requests without identity headers are answered as before', async () => {
  const hub = await startTestHub();
  for (const { url, isError } of await sendEverywhere(hub, { 'x-agent-id': 'of-a-proxy' }))
    expect({ url, isError }).toEqual({ url, isError: false });
});
