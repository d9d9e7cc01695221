import { describe, expect, test } from 'vitest';
import { SEND, task, update } from '../testing/answers.ts';
import { openTool, type Tool } from '../testing/open-tool.ts';
import { type Peer, startPeer } from '@holdword/client/testing';

/** An agent whose task is always in this state. */
function startPeerWith(state: string): Promise<Peer> {
  return startPeer({
    card: { capabilities: { streaming: false } },
    answer: ({ method }) => ({ result: task(method === 'message/send' ? 'working' : state) }),
  });
}

/** Two tasks, the first of which has ended. */
async function startTwo(second: string): Promise<{ tool: Tool; handles: unknown[] }> {
  const [one, two] = [await startPeerWith('completed'), await startPeerWith(second)];
  const targets = [
    { alias: 'one', baseUrl: one.url },
    { alias: 'two', baseUrl: two.url },
  ];
  const tool = openTool({ targets });
  const handles = [];
  for (const alias of ['one', 'two']) {
    const { summary } = await tool.call({ ...SEND, target_alias: alias, blocking: false });
    handles.push(summary.continuation?.task?.task_handle);
  }
  return { tool, handles };
}

describe('waiting for several tasks', () => {
  test('ends when all of them have ended or need input', async () => {
    const { tool, handles } = await startTwo('input-required');
    const result = await tool.call({ action: 'watch', wait_for: { task_handles: handles } });
    expect(result).toMatchObject({
      ok: true,
      summary: {
        mode: 'all',
        branches: [
          { task_handle: handles[0], ok: true, summary: { continuation: { task: { status: 'completed' } } } },
          { task_handle: handles[1], ok: true, summary: { question: { kind: 'input-required' } } },
        ],
      },
    });
  });

  test('ends with the first one in mode any', async () => {
    const { tool, handles } = await startTwo('working');
    const result = await tool.call({ action: 'watch', wait_for: { task_handles: handles, mode: 'any' } });
    expect(result.summary).toMatchObject({
      mode: 'any',
      branches: [{ task_handle: handles[0], ok: true }],
      still_running: [handles[1]],
    });
  });

  test('fails on timeout', async () => {
    const { tool, handles } = await startTwo('working');
    const result = await tool.call({
      action: 'watch',
      wait_for: { task_handles: handles },
      timeout_ms: 2_000,
    });
    expect(result.error).toMatchObject({
      code: 'WAIT_TIMEOUT',
      details: { branches: [{ ok: true }, { ok: false }], suggested_action: 'watch' },
    });
  });

  test('fails if no task can be watched', async () => {
    const { tool } = await startTwo('working');
    const result = await tool.call({
      action: 'watch',
      wait_for: { task_handles: ['rah_nope', 'rah_neither'] },
    });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'UNKNOWN_TASK_HANDLE',
        message: 'none of the 2 tasks could be watched',
        details: { branches: [{ task_handle: 'rah_nope', ok: false }, { task_handle: 'rah_neither' }] },
      },
    });
  });

  test('does not call a failed task still running', async () => {
    const { tool, handles } = await startTwo('working');
    const result = await tool.call({
      action: 'watch',
      wait_for: { task_handles: ['rah_nope', ...handles], mode: 'any' },
    });
    expect(result.summary).toMatchObject({
      branches: [
        { task_handle: 'rah_nope', ok: false },
        { task_handle: handles[0], ok: true },
      ],
      still_running: [handles[1]],
    });
  });
});

test('a watch that times out says how to continue', async () => {
  const { url } = await startPeerWith('working');
  const tool = openTool({ targets: [{ alias: 'one', baseUrl: url, default: true }] });
  const { error } = await tool.call({ action: 'watch', task_id: 't-1', timeout_ms: 2_000 });
  expect(error).toMatchObject({
    message: 'request timed out',
    details: {
      task_id: 't-1',
      task_handle: expect.stringMatching(/^rah_/) as string,
      suggested_action: 'watch',
      hint: expect.stringContaining('still running') as string,
      continuation: { task: { task_id: 't-1', status: 'working' } },
    },
  });
});

test.each([
  ['another task', { taskId: 't-other' }],
  ['another context', { contextId: 'c-other' }],
])('an event of %s ends a call with an error, and is not shown', async (_, ids) => {
  const events = [task('working'), { ...update('completed', 'from OTHER'), ...ids }];
  const { url } = await startPeer({
    answer: ({ method }) => (method === 'tasks/get' ? { result: task('working') } : { events, end: 'open' }),
  });
  const tool = openTool({ targets: [{ alias: 'one', baseUrl: url, default: true }] });
  const updates: unknown[] = [];
  for (const request of [{ action: 'watch', task_id: 't-1' }, SEND]) {
    const result = await tool.call(
      { ...request, timeout_ms: 5_000 },
      { onUpdate: (each) => void updates.push(each) },
    );
    expect(result.error).toMatchObject({
      message: expect.stringContaining('an event of another task or context') as string,
      details: { errorName: 'INVALID_AGENT_RESPONSE' },
    });
    expect(JSON.stringify([result, updates])).not.toMatch(/from OTHER|-other/);
  }
});

test('another task than the one asked for is refused', async () => {
  const { url } = await startPeer({ answer: () => ({ result: task('completed', { id: 't-other' }) }) });
  const tool = openTool({ targets: [{ alias: 'one', baseUrl: url, default: true }] });
  for (const action of ['watch', 'status', 'cancel']) {
    const { error } = await tool.call({ action, task_id: 't-1', timeout_ms: 5_000 });
    expect(error.details).toMatchObject({ errorName: 'INVALID_AGENT_RESPONSE' });
  }
});
