import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents, type A2AAgentsOptions } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { startPeer } from '../testing/start-peer.ts';
import { startWebServer } from '../testing/start-web-server.ts';
import { A2ATools } from './a2a-tools.ts';

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

function openTools(url: string, options: A2AAgentsOptions = {}): A2ATools {
  const agents = new A2AAgents({ peer: { url } }, options);
  onTestFinished(() => agents.close());
  return new A2ATools(new A2ASession(agents));
}

test.each([
  ['is too large', JSON.stringify({ name: 'x'.repeat(20_000) }), 'exceeds the limit'],
  ['is nested too deeply', `{"name":"deep","skills":${DEEP}}`, 'nested too deeply'],
])('if a card %s, no tool says that a message was received', async (_, card, reason) => {
  const { origin } = await startWebServer((_request, response) => response.end(card));
  const tools = openTools(origin, { maxResponseBytes: card.length > 100_000 ? 1_000_000 : 10_000 });
  for (const result of [await tools.getAgent('peer'), await tools.sendMessage('peer', 'hello')]) {
    expect(result['error_message']).toContain('The card of agent "peer" could not be fetched');
    expect(result['error_message']).toContain(reason);
    expect(result['error_message']).not.toMatch(/received|send the message again/);
  }
});

test('a message whose answer is nested too deeply was received', async () => {
  const answer = `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","parts":[{"data":${DEEP}}]}}}`;
  const { url } = await startPeer({ version: '1.0', answer: () => ({ status: 200, text: answer }) });
  const tools = openTools(url);
  expect(await tools.sendMessage('peer', 'hello')).toEqual({
    error: true,
    error_message:
      "The agent's response is nested too deeply (limit: 1000 levels). Report this to its operator. " +
      'Tell the user. Do not send the message again: the agent has received it.',
  });
  await expect(tools.session.sendMessage('peer', 'hello')).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
  });
});
