import { describe, expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { startPeer, type Peer, type PeerAnswer } from '../testing/start-peer.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { A2ASession } from './a2a-session.ts';

const IDEMPOTENT = {
  capabilities: { extensions: [{ uri: 'urn:holdword:a2a:idempotency:v1' }] },
};

async function openPeer(
  answer: PeerAnswer,
  card: Record<string, unknown> = {},
): Promise<{ peer: Peer; session: A2ASession }> {
  const peer = await startPeer({ version: '1.0', card, answer: () => answer });
  const agents = new A2AAgents({ peer: { url: peer.url } });
  onTestFinished(() => agents.close());
  return { peer, session: new A2ASession(agents) };
}

const MAY_HAVE_ARRIVED: readonly [string, PeerAnswer][] = [
  ['HTTP status 500', { status: 500, text: 'oops' }],
  ['HTTP status 502', { status: 502, text: '<html>' }],
  ['HTTP status 503', { status: 503, text: '' }],
  ['HTTP status 504', { status: 504, text: '' }],
  ['an internal error', { error: { code: -32603, message: 'It broke.' } }],
  ['a broken answer', { status: 200, text: '{"jsonrpc":' }],
  ['another answer than a task', { result: { odd: true } }],
];

describe.each(MAY_HAVE_ARRIVED)('a message that is answered with %s', (_, answer) => {
  test('may have arrived, and a program learns how to find out', async () => {
    const { peer, session } = await openPeer(answer);
    const failing = session.sendMessage('peer', 'pay 5', { timeout: 2, messageId: 'm-7' });
    await expect(failing).rejects.toMatchObject({
      message: expect.stringMatching(
        /It may have been delivered\. .* Look for its task with listTasks first; .* with the messageId "m-7"\.$/,
      ) as string,
      metadata: { messageId: 'm-7' },
    });
    expect(peer.calls).toHaveLength(1);
  });

  test('is not to be sent again by a model without a look', async () => {
    const { session } = await openPeer(answer);
    const tools = new A2ATools(session);
    const { error_message } = await tools.sendMessage('peer', 'pay 5', null, null, 2);
    expect(error_message).toMatch(
      /It is not known whether the message arrived\. Do not send it again before you know/,
    );
    expect(error_message).not.toMatch(/Try again/);
    const { error_message: toTask } = await tools.sendMessage('peer', 'yes', 'c-1', 't-1', 2);
    expect(toTask).toMatch(/look with getTask at the task "t-1"\.$/);
  });

  test('can be sent again if the agent recognizes it', async () => {
    const { session } = await openPeer(answer, IDEMPOTENT);
    const { error_message } = await new A2ATools(session).sendMessage('peer', 'pay 5', null, null, 3);
    expect(error_message).toMatch(
      /Call sendMessage again with the same arguments: the agent processes the message only once\.$/,
    );
  });
});

test.each<[string, PeerAnswer]>([
  ['401', { status: 401, text: '' }],
  ['403', { status: 403, text: '' }],
  ['413', { status: 413, text: '' }],
  ['429', { status: 429, text: '', headers: { 'Retry-After': '60' } }],
  ['an invalid request', { error: { code: -32602, message: 'No.' } }],
])('a message that is refused with %s has not arrived', async (_, answer) => {
  const { session } = await openPeer(answer);
  const { error_message } = await new A2ATools(session).sendMessage('peer', 'pay 5', null, null, 2);
  expect(error_message).not.toMatch(/arrived|delivered/);
});

test('an agent that is overloaded and does not say for how long is left alone for a while', async () => {
  const { peer, session } = await openPeer({ status: 429, text: '' });
  await expect(session.sendMessage('peer', 'hello', { timeout: 2.5 })).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
  });
  // After 0.5 to 1 s, then after 1 to 2 s.
  expect(peer.calls.length).toBeLessThanOrEqual(3);
});

test.each<[string, PeerAnswer, object]>([
  [
    'for how long it is busy',
    { status: 429, text: '{"error":"Too many calls"}', headers: { 'Retry-After': '60' } },
    {
      code: 'RESOURCE_EXHAUSTED',
      retryAfterSeconds: 60,
      message: expect.stringMatching(/"Too many calls".*\. Wait 60 seconds, then try again\.$/) as string,
    },
  ],
  [
    'only that it is busy',
    { status: 429, text: '' },
    {
      code: 'RESOURCE_EXHAUSTED',
      message: expect.stringMatching(/HTTP status 429\. .* Wait a minute, then try again\.$/) as string,
    },
  ],
  [
    'that the message is too large',
    { status: 413, text: '' },
    {
      code: 'REQUEST_TOO_LARGE',
      message: expect.stringMatching(
        /HTTP status 413\. Send less at once: .*links instead of files\.$/,
      ) as string,
    },
  ],
])('a program is told what to do if the agent says %s', async (_, answer, expected) => {
  const { session } = await openPeer(answer);
  for (const call of [
    () => session.sendMessage('peer', 'pay 5', { timeout: 1 }),
    () => session.getTask('peer', 't-1', { timeout: 1 }),
    () => session.cancelTask('peer', 't-1', { timeout: 1 }),
    () => session.listTasks('peer', {}, { timeout: 1 }),
  ]) {
    await expect(call()).rejects.toMatchObject(expected);
  }
});
