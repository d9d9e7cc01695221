import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { LocalFileStore } from '../files/local-file-store.ts';
import { startPeer } from '../testing/start-peer.ts';
import { A2ASession } from './a2a-session.ts';

const MESSAGE = {
  messageId: 'm-1',
  role: 'ROLE_AGENT',
  parts: [{ text: 'Here it is.' }, { raw: Buffer.from('content').toString('base64'), filename: 'a.txt' }],
};
const TASK = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'TASK_STATE_COMPLETED', message: MESSAGE },
};

test.each([
  ['a plain message', { message: MESSAGE }],
  ['the message of a task', { task: TASK }],
])('the files of %s are saved', async (_, result) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result }) });
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  const session = new A2ASession(agents, { fileStore: new LocalFileStore(folder) });
  const answer = await session.sendMessage('peer', 'hello');
  const { paths } = await session.getSavedFiles('peer', answer);
  expect(Object.keys(paths)).toEqual(['_message']);
  expect(await readFile(paths['_message']?.[0] ?? '', 'utf8')).toBe('content');
});
