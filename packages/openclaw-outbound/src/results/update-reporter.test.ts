import type { StreamResponse } from '@holdword/protocol';
import { expect, test } from 'vitest';
import type { ToolResult } from '../plugin-api.ts';
import { updateReporter } from './update-reporter.ts';

const TARGET = {
  baseUrl: 'https://a.example/',
  cardPath: '/card.json',
  preferredTransports: ['JSONRPC'],
} as const;

function status(state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED', text = ''): StreamResponse {
  const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text }] };
  return {
    statusUpdate: { taskId: 't-1', contextId: 'c', status: { state, ...(text !== '' && { message }) } },
  };
}

test('reports marked text and drops updates that come too fast', () => {
  const updates: ToolResult[] = [];
  const report = updateReporter('send', TARGET, (update) => void updates.push(update));
  report(status('TASK_STATE_WORKING', 'thinking'));
  report(status('TASK_STATE_WORKING', 'still thinking'));
  report(status('TASK_STATE_COMPLETED'));
  expect(updates.map(({ details }) => details)).toEqual([
    {
      operation: 'remote_agent',
      action: 'send',
      phase: 'update',
      target_url: 'https://a.example/',
      event_kind: 'status-update',
      event_count: 1,
      task_id: 't-1',
      status: 'working',
      text: 'thinking',
    },
    expect.objectContaining({ event_count: 3, status: 'completed' }),
  ]);
  expect(updates[0]?.content[0]?.text).toMatch(/^https:\/\/a.example\/: working\n<<<REMOTE_AGENT_CONTENT/);
});

function chunk(text: string): StreamResponse {
  const artifact = { artifactId: 'a', parts: [{ text }] };
  return { artifactUpdate: { taskId: 't-1', contextId: 'c', artifact, append: true } };
}

test('text that comes too fast is in the next update', () => {
  const updates: ToolResult[] = [];
  const report = updateReporter('send', TARGET, (update) => void updates.push(update));
  report(status('TASK_STATE_WORKING'));
  for (let number = 1; number <= 2_000; number += 1) report(chunk(`${number} `));
  report(status('TASK_STATE_COMPLETED'));
  const { details } = updates.at(-1) ?? {};
  expect(details).toMatchObject({ status: 'completed', event_count: 2_002 });
  expect(details).toHaveProperty('text', expect.stringMatching(/1999 2000 $/));
});

test('works without a listener', () => {
  expect(() => updateReporter('send', TARGET, undefined)(status('TASK_STATE_WORKING'))).not.toThrow();
});
