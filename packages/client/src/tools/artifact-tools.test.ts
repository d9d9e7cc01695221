import { RESUME_EXTENSION } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { startPeer } from '../testing/start-peer.ts';
import { A2ATools } from './a2a-tools.ts';

const TASK = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'w0 ' }, { text: 'w1 ' }, { text: 'w2' }] }],
};

async function openTools(extensions: readonly object[]): Promise<A2ATools> {
  const { url } = await startPeer({
    version: '1.0',
    card: { capabilities: { streaming: true, extensions } },
    answer: ({ method }) => ({ result: method === 'SendMessage' ? { task: TASK } : TASK }),
  });
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  return new A2ATools(new A2ASession(agents));
}

test.each([
  ['keeps chunks as parts: they are one text', [], 'w0 w1 w2', 1],
  ['merges chunks: several texts are separate', [{ uri: RESUME_EXTENSION }], 'w0 \nw1 \nw2', 0],
])('an agent that %s', async (_, extensions, text, found) => {
  const tools = await openTools(extensions);
  const parts = [{ kind: 'text', text }];
  expect(await tools.sendMessage('peer', 'hello')).toMatchObject({ artifacts: [{ parts }] });
  expect(await tools.getTask('peer', 't-1')).toMatchObject({ artifacts: [{ parts }] });
  expect(await tools.viewTextArtifact('peer', 't-1', 'a')).toMatchObject({ parts });
  const { matches } = await tools.searchArtifact('peer', 't-1', 'a', 'w1 w2');
  expect(matches).toHaveLength(found);
});

test('data that is in a file, and text, are searched without a path and a column', async () => {
  const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Employee ${id}` }));
  const artifacts = [
    { artifactId: 'large', parts: [{ data: { rows } }] },
    { artifactId: 'text', parts: [{ text: 'hello' }] },
  ];
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }) => ({
      result: method === 'SendMessage' ? { task: { ...TASK, artifacts } } : { ...TASK, artifacts },
    }),
  });
  const agents = new A2AAgents({ peer: { url } }, { maxResponseBytes: 10_000 });
  onTestFinished(() => agents.close());
  const tools = new A2ATools(new A2ASession(agents));
  await tools.sendMessage('peer', 'hello');
  const advised =
    'Artifact "large" is too large to be navigated. Use viewTextArtifact with characterStart and characterEnd, or ' +
    'searchArtifact without jsonPath and column.';
  expect(await tools.viewDataArtifact('peer', 't-1', 'large', 'rows', '0')).toEqual({
    error: true,
    error_message: advised,
  });
  const search = { jsonPath: 'rows', column: 'name' };
  expect(await tools.searchArtifact('peer', 't-1', 'large', 'Employee 7', search)).toEqual({
    error: true,
    error_message: advised,
  });
  expect(await tools.searchArtifact('peer', 't-1', 'large', 'Employee 777')).toMatchObject({
    _total_matches: 1,
  });
  expect(await tools.searchArtifact('peer', 't-1', 'text', 'hello', { column: 'name' })).toEqual({
    error: true,
    error_message: 'Artifact "text" has no data. Omit jsonPath and column to search its text.',
  });
  expect(await tools.getTask('peer', 't-1', 5, 0)).toMatchObject({
    error_message: expect.stringContaining('pollInterval: expected a number above 0, found 0') as string,
  });
});
