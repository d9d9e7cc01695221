import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { JSONTaskStore } from '../stores/json-task-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { startPeer } from '../testing/start-peer.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { A2ASession } from './a2a-session.ts';

const TASK = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'the result' }] }],
};

async function openSession(taskStore: TaskStore): Promise<A2ASession> {
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }) => ({ result: method === 'SendMessage' ? { task: TASK } : TASK }),
  });
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  return new A2ASession(agents, { taskStore });
}

/** A store of a user whose disk becomes full after so many tasks. */
function fullAfter(saves: number): TaskStore {
  let saved = 0;
  return {
    save: async () => {
      saved += 1;
      if (saved > saves) throw new Error('ENOSPC: /secret/path');
    },
    load: async () => undefined,
  };
}

test.each([0, 1])(
  'a store that fails after %i saves does not hide that the message arrived',
  async (saves) => {
    const session = await openSession(fullAfter(saves));
    await expect(session.sendMessage('peer', 'hello')).rejects.toMatchObject({
      code: 'INTERNAL',
      metadata: { taskId: 't-1' },
      message: expect.stringContaining('The task store could not save the task.') as string,
    });
    const { error_message } = await new A2ATools(await openSession(fullAfter(saves))).sendMessage(
      'peer',
      'hello',
    );
    expect(error_message).toBe(
      'The task store could not save the task. The task is "t-1". ' +
        'Call getTask with this ID; do not send the message again.',
    );
  },
);

test('a store that cannot note a message says that it was not sent', async () => {
  const session = await openSession(new JSONTaskStore('/dev/null/tasks'));
  await expect(session.sendMessage('peer', 'hello')).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('so it was not sent') as string,
    cause: { message: expect.stringContaining('"/dev/null/tasks"') as string },
  });
});

test('a saved task that cannot be read is fetched from its agent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 't-1.json'), '{"id": "t-');
  const session = await openSession(new JSONTaskStore(folder));
  expect(await session.getTask('peer', 't-1')).toMatchObject({ status: { state: 'completed' } });
  await writeFile(join(folder, 't-1.json'), '{"id": "t-');
  const shown = await new A2ATools(session).viewTextArtifact('peer', 't-1', 'a');
  expect(shown).toMatchObject({ parts: [{ text: 'the result' }] });
});
