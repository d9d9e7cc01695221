import { describe, expect, test } from 'vitest';
import { message, SEND, task } from '../testing/answers.ts';
import { openTool } from '../testing/open-tool.ts';
import { startPeer, type PeerAnswer } from '../testing/start-peer.ts';

async function startPair(second: PeerAnswer): Promise<object> {
  const one = await startPeer({ answer: () => ({ result: message('from one') }) });
  const two = await startPeer({ answer: () => second });
  const targets = [
    { alias: 'one', baseUrl: one.url },
    { alias: 'two', baseUrl: two.url },
  ];
  return { targets };
}

describe('several targets', () => {
  const toBoth = { ...SEND, target_aliases: ['two', 'one'] };

  test('answer independently, in the order of the request', async () => {
    const config = await startPair({ result: task('input-required') });
    const result = await openTool(config).call(toBoth);
    expect(result).toMatchObject({
      ok: true,
      summary: {
        collect: 'all',
        branches: [
          {
            target_alias: 'two',
            ok: true,
            summary: { response_kind: 'task', continuation: { task: { task_id: 't-1' } } },
          },
          { target_alias: 'one', ok: true, summary: { message_text: 'from one' } },
        ],
      },
      raw: [{ kind: 'task' }, { kind: 'message' }],
    });
  });

  test('that fail do not hide the others', async () => {
    const config = await startPair({ error: { code: -32603, message: 'broken' } });
    const result = await openTool(config).call(toBoth);
    expect(result.summary['branches']).toMatchObject([
      { target_alias: 'two', ok: false, error: { code: 'A2A_SDK_ERROR', message: 'broken' } },
      { target_alias: 'one', ok: true },
    ]);
  });

  test('return one error if all of them fail', async () => {
    const config = await startPair({ error: { code: -32603, message: 'broken' } });
    const result = await openTool(config).call({ ...toBoth, target_aliases: ['two'] });
    expect(result.error).toMatchObject({
      code: 'A2A_SDK_ERROR',
      details: { branches: [{ target_alias: 'two', ok: false }] },
    });
  });

  test('are aborted and their tasks canceled after the first successful answer', async () => {
    const begun = Promise.withResolvers<void>();
    const one = await startPeer({
      answer: async () => {
        await begun.promise;
        return { result: message('from one') };
      },
    });
    const two = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'tasks/cancel' ? { result: task('canceled') } : { events: [task('working')], end: 'open' },
    });
    const targets = [
      { alias: 'one', baseUrl: one.url },
      { alias: 'two', baseUrl: two.url },
    ];
    const tool = openTool({ targets });
    const request = { ...toBoth, collect: 'first', follow_updates: true };
    const result = await tool.call(request, { onUpdate: () => begun.resolve() });
    expect(result.summary).toMatchObject({
      collect: 'first',
      branches: [{ target_alias: 'one', ok: true }],
      stopped: ['two'],
    });
    await tool.agent.close();
    expect(two.calls.map(({ method }) => method)).toEqual(['message/stream', 'tasks/cancel']);
  });
});
