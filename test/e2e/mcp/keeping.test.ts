import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../support/spawn-holdword.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectMcp, resultOf } from './connect-mcp.ts';

test('tasks and files in the storage folder outlive the program and the agent', async () => {
  const demo = await spawnHoldword(['--store', 'memory']);
  onTestFinished(() => demo.kill());
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const words = ['--agent', `demo=${demo.target.baseUrl}`, '--data', join(folder.path, 'kept')];

  const first = await connectMcp(words, { carrier: 'stdio', era: 'legacy' });
  onTestFinished(() => first.close());
  const send = async (message: string) =>
    resultOf(await first.client.callTool({ name: 'sendMessage', arguments: { agentId: 'demo', message } }));
  const { artifacts } = await send('file');
  const [artifact] = artifacts as { parts: { bytes: { _saved_to: string[] } }[] }[];
  const path = artifact?.parts[0]?.bytes['_saved_to'][0] ?? '';
  expect(await readFile(path, 'utf8')).toContain('Mercury');
  const { id } = await send('table');
  await first.close();
  await demo.kill();

  const second = await connectMcp(words, { carrier: 'stdio', era: 'legacy' });
  onTestFinished(() => second.close());
  const input = { agentId: 'demo', taskId: id, artifactId: 'table', jsonPath: 'rows[2].planet' };
  const viewed = await second.client.callTool({ name: 'viewDataArtifact', arguments: input });
  expect(resultOf(viewed)).toMatchObject({ parts: [{ kind: 'data', data: 'Earth' }] });
});
