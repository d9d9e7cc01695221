import { describe, expect, test } from 'vitest';
import { message, SEND } from '../testing/answers.ts';
import { openTool } from '../testing/open-tool.ts';
import { startPeer, type PeerAnswer } from '@holdword/client/testing';
import { cardUrls } from './target-connections.ts';

describe('headers', () => {
  test('of the call and of the target are sent', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    const auth = { type: 'bearer', token: 'secret' };
    const serviceParameters = { 'X-Team': 'red', 'X-Trace': 'off' };
    const tool = openTool({
      targets: [{ alias: 'a', baseUrl: url, default: true, auth, serviceParameters }],
    });
    await tool.call({ ...SEND, service_parameters: { 'X-Trace': 'on' } });
    expect(calls[0]?.headers).toMatchObject({
      'x-team': 'red',
      'x-trace': 'on',
      authorization: 'Bearer secret',
    });
  });

  test('with the credentials of a target cannot be overridden', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    const auth = { type: 'header', name: 'X-Api-Key', value: 'secret' };
    const tool = openTool({ targets: [{ alias: 'a', baseUrl: url, default: true, auth }] });
    const requests = [SEND, { action: 'status', task_id: 't-1' }];
    for (const request of requests) {
      const { error } = await tool.call({ ...request, service_parameters: { 'x-api-key': 'other' } });
      expect(error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: {
          errors: [
            {
              instancePath: '/service_parameters',
              message: expect.stringMatching(/^"x-api-key" is reserved for credentials/) as string,
            },
          ],
        },
      });
    }
    expect(calls).toEqual([]);
  });

  test('are not sent to an origin that only the card names', async () => {
    const elsewhere = await startPeer({ answer: () => ({ result: message('hi') }) });
    const { url } = await startPeer({ card: { url: `${elsewhere.url}rpc` } });
    const auth = { type: 'bearer', token: 'secret' };
    const tool = openTool({
      defaults: { serviceParameters: { 'X-Team': 'red' } },
      targets: [{ alias: 'a', baseUrl: url, default: true, auth }],
    });
    await tool.call({ ...SEND, service_parameters: { 'X-Trace': 'on' } });
    expect(elsewhere.calls).toHaveLength(1);
    expect(elsewhere.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(elsewhere.calls[0]?.headers).not.toHaveProperty('x-team');
    expect(elsewhere.calls[0]?.headers).not.toHaveProperty('x-trace');
  });

  test('that the agent rejects are read again', async () => {
    const environment: Record<string, string> = { TOKEN: 'old' };
    const { url, calls } = await startPeer({
      answer: ({ headers }): PeerAnswer => {
        if (headers['authorization'] === 'Bearer new') return { result: message('hi') };
        environment['TOKEN'] = 'new';
        return { status: 401, text: '{"error":"expired"}' };
      },
    });
    const auth = { type: 'bearer', token: '${TOKEN}' };
    const tool = openTool({ targets: [{ alias: 'a', baseUrl: url, default: true, auth }] }, { environment });
    expect(await tool.call(SEND)).toMatchObject({ ok: true });
    expect(calls.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer new']);
  });
});

test('the hint for an address that no setting allows does not lead to the allow list', async () => {
  const { url, calls } = await startPeer({ card: { url: 'http://169.254.169.254/rpc' } });
  const tool = openTool({ targets: [{ alias: 'a', baseUrl: url, default: true }] });
  const { error } = await tool.call(SEND);
  expect(error.message).toContain('it leads to a cloud metadata service, which is never called');
  expect(JSON.stringify(error)).not.toContain('allowHosts');
  expect(error.details.hint).toContain('never called, whatever the configuration says');
  expect(calls).toEqual([]);
});

test('a base URL with a wrong path calls no other agent of that host', async () => {
  const { url, calls, cardFetches } = await startPeer({ answer: () => ({ result: message('hi') }) });
  const tool = openTool({ targets: [{ alias: 'a', baseUrl: `${url}broken/`, default: true }] });
  const card = `${url}.well-known/agent-card.json`;
  const { error } = await tool.call(SEND);
  expect(error.message).toContain('nothing is published at this address');
  expect(error.details.hint).toContain(`a card was found at ${card}.`);
  expect(error.details.hint).toContain(`set baseUrl of this target to ${url}.`);
  const listed = await tool.call({ action: 'list_targets' });
  expect(listed.summary['targets']).toEqual([
    expect.objectContaining({
      target_url: `${url}broken/`,
      peer_card_error: expect.stringContaining(`It is at ${card}.`) as string,
    }),
  ]);
  expect(cardFetches()).toBe(2);
  expect(calls).toEqual([]);
});

test.each([
  ['https://a.example/', '/card.json', ['https://a.example/card.json']],
  [
    'https://a.example/',
    '/.well-known/agent-card.json',
    ['https://a.example/.well-known/agent-card.json', 'https://a.example/.well-known/agent.json'],
  ],
  ['https://a.example/agents/x/', '/card.json', ['https://a.example/agents/x/card.json']],
])('the card of %s with %s is fetched from %j', (baseUrl, cardPath, urls) => {
  expect(cardUrls({ baseUrl, cardPath })).toEqual(urls);
});
