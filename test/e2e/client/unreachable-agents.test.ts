import { A2ATools } from '@holdword/client';
import { startWebServer } from '@holdword/client/testing';
import type { AgentCard } from '@holdword/protocol';
import { buildAgentCard } from '@holdword/protocol/internal';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import { openSession } from './open-session.ts';
import { taskOf, textsOf } from './results.ts';
import { cardFor, startCardServer } from './start-card-server.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

function cardAt(url: string): AgentCard {
  return buildAgentCard({
    name: 'n',
    description: 'd',
    endpoints: [{ url, binding: 'JSONRPC', versions: ['1.0'] }],
  });
}

test('an unreachable agent is reported soon, without its address', async () => {
  const session = openSession(await startCardServer(cardAt('http://127.0.0.1:1025/')));
  await expect(session.sendMessage('agent', 'hello')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message:
      'The agent did not answer the message: the connection was refused. ' +
      'It was not sent. Check that the agent is running, then try again.',
  });
  const refused = {
    code: 'UNAVAILABLE',
    message:
      'The agent cannot be reached: the connection was refused. Check that it is running, then try again.',
  };
  await expect(session.getTask('agent', 't-1')).rejects.toMatchObject(refused);
  await expect(session.cancelTask('agent', 't-1')).rejects.toMatchObject(refused);
  await expect(session.listTasks('agent')).rejects.toMatchObject(refused);
});

test('https on a port without TLS is explained', async () => {
  const { origin } = await startWebServer((_request, response) => response.end('{}'));
  const session = openSession(origin.replace('http:', 'https:'));
  await expect(session.sendMessage('agent', 'hello')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining(
      'the server does not speak TLS on this port; use http instead of https in its URL',
    ) as string,
  });
});

test('a task whose agent went away is returned as it was last seen, and says so', async () => {
  const agent = await startAgent();
  const session = openSession(agent.target.baseUrl);
  const sending = session.sendMessage('agent', 'artifact a one; wait gate; complete', { timeout: 4 });
  await agent.gates.reached('gate');
  await agent.close();
  const task = taskOf(await sending);
  expect(task.metadata?.['urn:holdword:client:notice:v1']).toMatch(
    /^This is the task as it was last seen\. The agent cannot be reached: .*the connection was refused\./,
  );
  // What is saved is the task alone.
  expect(JSON.stringify(await session.getSavedTask('agent', task.id))).not.toContain('urn:holdword:client');
});

test('getAgents tells that an agent has gone that it knew before', async () => {
  const agent = await startAgent();
  const session = openSession(agent.target.baseUrl);
  expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
  const { agent: before } = await session.agents.getAgentsForLlm();
  await agent.close();
  await expect(session.getTask('agent', 't-1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const { agent: after } = await session.agents.getAgentsForLlm();
  expect(await session.agents.getAgentForLlm('agent')).toEqual(after);
  expect(after).toEqual({
    ...before,
    error:
      'The card of agent "agent" could not be fetched: the connection was refused. Check that the agent is running, then try again.',
  });
});

test('a card without an interface that can be used is explained to programs and models', async () => {
  const card = { ...cardAt('http://127.0.0.1:1025/'), supportedInterfaces: [] };
  const session = openSession(await startCardServer(card));
  const message =
    'Agent "agent" cannot be called. The agent card lists no supported interface. ' +
    'Supported are A2A 1.1, 1.0 and 0.3 over JSONRPC, HTTP+JSON and GRPC.';
  await expect(session.sendMessage('agent', 'hello')).rejects.toMatchObject({ message });
  expect(await new A2ATools(session).sendMessage('agent', 'hello')).toEqual({
    error: true,
    error_message: `${message} Tell the user, or choose another agent with getAgents.`,
  });
});

test('an address in a card that is not allowed is explained to programs and models', async () => {
  const session = openSession(await startCardServer(cardAt('http://10.1.2.3/')));
  const message =
    'The agent cannot be called: the address in its card is not allowed because its address is in a forbidden range (private). ' +
    'If you trust it, allow it with the option "allow" of A2AAgents, or with --allow of "holdword mcp".';
  await expect(session.sendMessage('agent', 'hello')).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
    message,
  });
  expect(await new A2ATools(session).sendMessage('agent', 'hello')).toEqual({
    error: true,
    error_message: `${message} Tell the user. Do not retry.`,
  });
});

test('an agent that does not respond times out', async () => {
  const { origin: silence } = await startWebServer(() => {});
  const session = openSession(await startCardServer(cardAt(silence)));
  await expect(session.sendMessage('agent', 'hello', { timeout: 0.2 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/the request timed out\. It may have been delivered/) as string,
  });
  await expect(session.getTask('agent', 't-1', { timeout: 0.2 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  const withoutCard = openSession(silence);
  await expect(withoutCard.getTask('agent', 't-1', { timeout: 0.2 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The agent did not answer in time. Try again, or allow it more time.',
  });
});

test('a card that could not be fetched is fetched later', async () => {
  const agent = await startAgent();
  onTestFinished(() => agent.close());
  let up = false;
  const card = await cardFor(agent, { binding: 'JSONRPC', version: '1.0' });
  const { origin } = await startWebServer((_request, response) => {
    if (up) response.end(JSON.stringify(card));
    else response.writeHead(503).end();
  });
  const session = openSession(`${origin}/card.json`);
  await expect(session.getTask('agent', 't-1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  up = true;
  expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
});

test('a task is followed across a restart of its agent', async () => {
  const agent = await startAgent();
  onTestFinished(() => agent.close());
  const wire = { binding: 'JSONRPC', version: '1.0' } as const;
  const proxy = await startCuttingProxy({ port: Number(new URL(agent.target.baseUrl).port) });
  const session = openSession(await startCardServer(await cardFor(agent, wire, proxy.port)));
  const sending = session.sendMessage('agent', 'artifact a one; wait gate; append a two; complete');
  await agent.gates.reached('gate');
  proxy.cutAll();
  agent.gates.open('gate');
  const task = taskOf(await sending);
  expect(task.status.state).toBe('completed');
  expect(textsOf(task)).toEqual(['onetwo']);
});
