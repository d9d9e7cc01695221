import { describe, expect, test } from 'vitest';
import { message, SEND } from './testing/answers.ts';
import { openTool, openToolFor } from './testing/open-tool.ts';
import { startPeer } from '@holdword/client/testing';

describe('an agent of A2A 1.0', () => {
  test('gets the same requests and results', async () => {
    const answered = {
      id: 't-1',
      contextId: 'c-1',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          messageId: 'm',
          role: 'ROLE_AGENT',
          parts: [{ text: 'Which one?' }, { data: { choices: ['a', 'b'] } }],
        },
      },
    };
    const { url, calls } = await startPeer({
      version: '1.0',
      answer: () => ({ result: { task: answered } }),
    });
    const result = await openToolFor(url).call({ ...SEND, blocking: true });
    expect(calls).toMatchObject([
      {
        method: 'SendMessage',
        params: { message: { role: 'ROLE_USER' }, configuration: { returnImmediately: false } },
      },
    ]);
    expect(result.summary).toMatchObject({
      message_text: 'Which one?',
      question: { kind: 'input-required', text: 'Which one?', choices: [{ value: 'a' }, { value: 'b' }] },
      continuation: { task: { status: 'input-required', can_resume_send: true } },
    });
    expect(result.raw).toMatchObject({ kind: 'task', status: { state: 'input-required' } });
  });
});

describe('the schema for models', () => {
  const targets = [
    { alias: 'support', baseUrl: 'https://support.example', default: true },
    { alias: 'billing', baseUrl: 'https://billing.example' },
  ];
  const propertiesOf = (config: object): Record<string, { description: string }> =>
    openTool({ targets, ...config }).agent.definition.parameters['properties'] as Record<
      string,
      { description: string }
    >;

  test('describes every field, and says what happens without it', () => {
    const properties = propertiesOf({ defaults: { timeoutMs: 5_000 } });
    for (const [name, { description }] of Object.entries(properties))
      expect([name, description]).toEqual([name, expect.stringMatching(/\w/)]);
    expect(properties['target_alias']?.description).toMatch(/One of: support, billing\. Default: support\.$/);
    expect(properties['timeout_ms']?.description).toContain('Default: 5000.');
  });

  test('offers target_url only if policy allows other agents', () => {
    expect(propertiesOf({})).not.toHaveProperty('target_url');
    expect(propertiesOf({ policy: { allowTargetUrlOverride: true } })).toHaveProperty('target_url');
  });
});

test('a configured target can be named by its URL in any case', async () => {
  const { url } = await startPeer({ answer: () => ({ result: message('hi') }) });
  const tool = openToolFor(url);
  for (const spelled of [url, url.replace('http:', 'HTTP:')]) {
    expect(await tool.call({ ...SEND, target_url: spelled })).toMatchObject({
      ok: true,
      summary: { target_alias: 'support', target_url: url },
    });
  }
});

test('a card that could not be fetched is fetched again and does not hide other targets', async () => {
  const { url } = await startPeer({ cardPath: '/elsewhere.json' });
  const sound = await startPeer();
  const tool = openTool({
    targets: [
      { alias: 'bad', baseUrl: url },
      { alias: 'good', baseUrl: sound.url },
    ],
  });
  for (let round = 0; round < 2; round += 1) {
    expect((await tool.call({ action: 'list_targets' })).summary).toMatchObject({
      targets: [
        { target_alias: 'bad', peer_card_error: expect.stringContaining('could not be fetched') as string },
        { target_alias: 'good', target_name: 'Support Agent' },
      ],
    });
  }
  expect(sound.cardFetches()).toBe(1);
});
