import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JSONTaskStore, LocalFileStore, type A2ASessionOptions } from '@holdword/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { openSession } from './open-session.ts';
import { taskOf } from './results.ts';
import { cardFor, portOf, startCardServer } from './start-card-server.ts';

const WIRE = { binding: 'JSONRPC', version: '1.0' } as const;

async function storesIn(): Promise<
  Required<Pick<A2ASessionOptions, 'taskStore' | 'fileStore'>> & { path: string }
> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return {
    path: folder.path,
    taskStore: new JSONTaskStore(join(folder.path, 'tasks')),
    fileStore: new LocalFileStore(join(folder.path, 'files')),
  };
}

describe('saved tasks and files', () => {
  watchForLeaks();
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await startAgent();
  });
  afterAll(() => agent.close());

  test('are available to the next session, for the same agent only', async () => {
    const { taskStore } = await storesIn();
    const first = openSession(agent.target.baseUrl, { taskStore });
    const task = taskOf(await first.sendMessage('agent', 'artifact a one; complete'));
    const second = openSession(agent.target.baseUrl, { taskStore });
    expect(await second.getSavedTask('agent', task.id)).toEqual(task);
    expect(JSON.stringify(task)).not.toContain('urn:holdword:client');
    await second.agents.addAgent('other', agent.target.baseUrl);
    expect(await second.getSavedTask('other', task.id)).toBeNull();
  });

  test('include files, which are saved once', async () => {
    const { taskStore, fileStore } = await storesIn();
    const session = openSession(agent.target.baseUrl, { taskStore, fileStore });
    const content = Buffer.from('file content');
    const task = taskOf(
      await session.sendMessage('agent', [
        { kind: 'text', text: 'mirror; complete' },
        {
          kind: 'file',
          file: { bytes: content.toString('base64'), mimeType: 'text/plain', name: 'notes.txt' },
        },
      ]),
    );
    const { paths, errors } = await session.getSavedFiles('agent', task);
    expect(errors).toEqual({});
    expect(paths['mirror']).toHaveLength(1);
    expect(await readFile(paths['mirror']?.[0] ?? '')).toEqual(content);
    expect(await session.getTask('agent', task.id)).toEqual(task);
  });

  test('report which file could not be saved, and include the others', async () => {
    const { taskStore, fileStore } = await storesIn();
    const session = openSession(agent.target.baseUrl, { taskStore, fileStore });
    const task = taskOf(
      await session.sendMessage('agent', 'part url http://127.0.0.1:1025/secret; artifact a x; complete'),
    );
    expect(task.status.state).toBe('completed');
    const { errors } = await session.getSavedFiles('agent', task);
    expect(Object.keys(errors)).toEqual(['url']);
  });

  test('an unanswered message is resent with the same id after a crash', async () => {
    const { path } = await storesIn();
    const newSession = (url: string) =>
      openSession(url, { taskStore: new JSONTaskStore(join(path, 'tasks')) });
    // The response is lost: the message was delivered, but the client does not know.
    const proxy = await startCuttingProxy({ port: portOf(agent, 'JSONRPC'), nextCut: () => 0 });
    const deaf = newSession(await startCardServer(await cardFor(agent, WIRE, proxy.port)));
    await expect(deaf.sendMessage('agent', 'complete once', { timeout: 0.5 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(
        'Send the same message again: the agent processes it only once.',
      ) as string,
    });
    const again = newSession(agent.target.baseUrl);
    const task = taskOf(await again.sendMessage('agent', 'complete once'));
    const { totalSize } = await again.listTasks('agent', { contextId: task.contextId });
    expect(totalSize).toBe(1);
    expect(proxy.cuts()).toBeGreaterThan(0);
    // It is answered now, so the same text is a new message.
    const next = taskOf(await again.sendMessage('agent', 'complete once'));
    expect(next.id).not.toBe(task.id);
  });
});
