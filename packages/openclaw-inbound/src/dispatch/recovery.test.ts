import type { Owner } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import type { HostEvent } from '../host/host.ts';
import { answer, assistantMessage, toolCall } from '../testing/scripted-host.ts';
import { ALICE, requestContext, startScriptedAccount, ANONYMOUS } from '../testing/start-scripted-account.ts';

const LATER = { configuration: { returnImmediately: true } };

/** A task whose process stops during its turn, and the account started after it. */
async function interrupt(owner: Owner, events: readonly HostEvent[] = []) {
  const store = openMemoryStore();
  const half = Promise.withResolvers<void>();
  const first = await startScriptedAccount(
    async (turn) => {
      for (const event of [...events, ...assistantMessage('Half an')]) turn.onEvent(event);
      half.resolve();
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    },
    { store },
  );
  const { id } = await first.sendForTask('go', { owner, request: LATER });
  await half.promise;
  await first.runtime.stop({ graceMilliseconds: 0 });
  const second = await startScriptedAccount((turn) => answer(turn, 'A whole answer'), { store });
  const context = requestContext({ owner });
  return { host: second.host, task: () => second.operations.getTask({ id }, context) };
}

test.each([
  ['a caller without tools', ANONYMOUS, 'none'],
  ['a peer with tools that has called none', ALICE, 'all'],
] as const)('a turn of %s runs again and replaces its earlier output', async (_, owner, tools) => {
  const { host, task } = await interrupt(owner);
  await expect.poll(task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'A whole answer' }] } },
    artifacts: [{ artifactId: 'assistant-output-0001', parts: [{ text: 'A whole answer' }] }],
  });
  expect((await task()).artifacts).toHaveLength(1);
  expect(host.turns).toMatchObject([{ text: 'go', tools }]);
});

test('a turn that has called tools fails, says which, and keeps its output', async () => {
  const [started] = toolCall('write', 'call-2');
  const { host, task } = await interrupt(ALICE, [...toolCall('exec', 'call-1'), started as HostEvent]);
  await expect.poll(task).toMatchObject({
    status: {
      state: 'TASK_STATE_FAILED',
      message: {
        parts: [
          { text: expect.stringContaining('Recorded tool calls: exec (completed), write (result unknown).') },
        ],
      },
    },
  });
  expect((await task()).artifacts).toContainEqual(
    expect.objectContaining({
      artifactId: 'tool-progress-call-2',
      parts: [{ data: expect.objectContaining({ phase: 'result', status: 'interrupted' }) }],
    }),
  );
  const texts = (await task()).artifacts?.flatMap(({ parts }) => parts.map(({ text }) => text));
  expect(texts).toContain('Half an');
  expect(host.turns).toEqual([]);
});
