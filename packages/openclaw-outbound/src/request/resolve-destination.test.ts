import { describe, expect, test } from 'vitest';
import { SEND, task } from '../testing/answers.ts';
import { openTool, openToolFor } from '../testing/open-tool.ts';
import { startPeer } from '@holdword/client/testing';

describe('a task handle', () => {
  test('that was never created is unknown', async () => {
    const result = await openTool({}).call({ action: 'status', task_handle: 'rah_1' });
    expect(result.error).toMatchObject({
      code: 'UNKNOWN_TASK_HANDLE',
      details: { taskHandle: 'rah_1', suggested_action: 'send' },
    });
  });

  test.each([
    ['task_id', { task_id: 't-2' }, { field: 'task_id', task_handle: 't-1', request: 't-2' }],
    ['target', { target_alias: 'billing' }, { field: 'target', request: 'https://billing.example/' }],
  ])('must match %s', async (_name, fields, conflict) => {
    const { url } = await startPeer({ answer: () => ({ result: task('working') }) });
    const targets = [
      { alias: 'support', baseUrl: url, default: true },
      { alias: 'billing', baseUrl: 'https://billing.example' },
    ];
    const tool = openTool({ targets });
    const { summary } = await tool.call(SEND);
    const handle = summary.continuation?.task?.task_handle;
    const result = await tool.call({ action: 'status', task_handle: handle, ...fields });
    expect(result.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { conflicts: [conflict] } });
  });

  test('sends to its task', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: task('input-required') }) });
    const tool = openToolFor(url);
    const { summary } = await tool.call(SEND);
    await tool.call({ ...SEND, task_handle: summary.continuation?.task?.task_handle });
    expect(calls[1]?.params).toMatchObject({ message: { taskId: 't-1', contextId: 'c-1' } });
  });
});

test.each(['continuation', 'task_handle'])('a %s keeps using the same credentials', async (kind) => {
  const { url, calls } = await startPeer({ answer: () => ({ result: task('working') }) });
  const targets = ['mine', 'ours'].map((alias) => ({
    alias,
    baseUrl: url,
    auth: { type: 'bearer', token: `token-of-${alias}` },
  }));
  const tool = openTool({ targets });
  const { summary } = await tool.call({ ...SEND, target_alias: 'ours' });
  const { continuation } = summary;
  await tool.call({
    action: 'status',
    ...(kind === 'continuation' ? { continuation } : { task_handle: continuation?.task?.task_handle }),
  });
  expect(calls.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-of-ours',
    'Bearer token-of-ours',
  ]);
});

describe('a continuation to a target that is not configured', () => {
  const target = {
    card_path: '/.well-known/agent-card.json',
    preferred_transports: ['JSONRPC', 'HTTP+JSON'],
  };

  test('is rejected', async () => {
    const { url, calls } = await startPeer();
    const continuation = { target: { ...target, target_url: url }, task: { task_id: 't-1' } };
    const result = await openToolFor('https://support.example').call({ action: 'status', continuation });
    expect(result.error).toMatchObject({
      code: 'TARGET_RESOLUTION_ERROR',
      details: { reason: 'raw_url_disallowed_by_policy', suggested_action: 'list_targets' },
    });
    expect(calls).toEqual([]);
  });

  test('is rejected with a signature of another installation', async () => {
    const { url } = await startPeer();
    const signed = { ...target, target_url: url, signature: 'a'.repeat(43) };
    const result = await openToolFor('https://support.example').call({
      action: 'status',
      continuation: { target: signed, task: { task_id: 't-1' } },
    });
    expect(result.error.details).toMatchObject({ reason: 'raw_url_disallowed_by_policy' });
  });

  test('is followed if policy allows URLs, and is signed from then on', async () => {
    const { url } = await startPeer({ answer: () => ({ result: task('working') }) });
    const policy = { allowTargetUrlOverride: true, allowHosts: ['127.0.0.1'] };
    const result = await openTool({ policy }).call({ ...SEND, target_url: url });
    expect(result.summary.continuation?.target).toEqual({
      ...target,
      target_url: url,
      signature: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(result.summary).not.toHaveProperty('target_alias');
  });

  test('is not followed to a private address, even if policy allows URLs', async () => {
    const { url, calls } = await startPeer();
    const result = await openTool({ policy: { allowTargetUrlOverride: true } }).call({
      ...SEND,
      target_url: url,
    });
    expect(result.error).toMatchObject({
      code: 'A2A_SDK_ERROR',
      details: { errorName: 'PERMISSION_DENIED' },
    });
    expect(calls).toEqual([]);
  });
});
