import type { Owner } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { answer, assistantMessage } from '../testing/scripted-host.ts';
import { ALICE, requestContext, startScriptedAccount, ANONYMOUS } from '../testing/start-scripted-account.ts';

const LATER = { configuration: { returnImmediately: true } };

/** A task whose process stops during its turn, and the account started after it. */
async function interrupt(owner: Owner) {
  const store = openMemoryStore();
  const half = Promise.withResolvers<void>();
  const first = await startScriptedAccount(
    async (turn) => {
      for (const event of assistantMessage('Half an')) turn.onEvent(event);
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

test('a turn without tools runs again and replaces its earlier output', async () => {
  const { host, task } = await interrupt(ANONYMOUS);
  await expect.poll(task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'A whole answer' }] } },
    artifacts: [{ artifactId: 'assistant-output-0001', parts: [{ text: 'A whole answer' }] }],
  });
  expect((await task()).artifacts).toHaveLength(1);
  expect(host.turns).toMatchObject([{ text: 'go', tools: 'none' }]);
});

test('a turn that may have used tools fails with a reason and keeps its output', async () => {
  const { host, task } = await interrupt(ALICE);
  await expect.poll(task).toMatchObject({
    status: {
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('What its tools did until then is unknown') }] },
    },
    artifacts: [{ parts: [{ text: 'Half an' }] }],
  });
  expect(host.turns).toEqual([]);
});
