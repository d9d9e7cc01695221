import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPeer, startWebServer } from '@holdword/client/testing';
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

test.each([
  [
    [],
    {
      _error: expect.stringMatching(
        /not allowed: its address is in a forbidden range \(loopback\)/,
      ) as string,
    },
  ],
  [['--allow', '127.0.0.1'], { _saved_to: [expect.stringMatching(/notes\.txt$/) as string] }],
])('a file in a private network is downloaded only with --allow: %j', async (allow, outcome) => {
  const { origin, requests } = await startWebServer((_request, response) => response.end('hello'));
  const file = { url: `${origin}/notes.txt`, filename: 'notes.txt', mediaType: 'text/plain' };
  const artifacts = [{ artifactId: 'a', parts: [file] }];
  const task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  const { url } = await startPeer({ version: '1.0', answer: () => ({ result: { task } }) });
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const words = ['--agent', `peer=${url}`, '--data', folder.path, ...allow];
  const host = await connectMcp(words, { carrier: 'stdio', era: 'legacy' });
  onTestFinished(() => host.close());
  const input = { agentId: 'peer', message: 'file' };
  const sent = resultOf(await host.client.callTool({ name: 'sendMessage', arguments: input }));
  expect(sent).toMatchObject({ artifacts: [{ parts: [{ kind: 'file', uri: outcome }] }] });
  expect(requests).toHaveLength(allow.length === 0 ? 0 : 1);
});

test('an agent may be at another private address only with --allow', async () => {
  const task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };
  const elsewhere = await startPeer({ version: '1.0', answer: () => ({ result: { task } }) });
  const at = elsewhere.url.replace('127.0.0.1', '127.0.0.2');
  const supportedInterfaces = [{ url: `${at}rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  const { url } = await startPeer({ version: '1.0', card: { supportedInterfaces } });
  const input = { agentId: 'peer', message: 'hello', timeout: 5 };
  const send = async (...allow: string[]) => {
    const host = await connectMcp(['--agent', `peer=${url}`, ...allow], { carrier: 'stdio', era: 'legacy' });
    onTestFinished(() => host.close());
    return resultOf(await host.client.callTool({ name: 'sendMessage', arguments: input }));
  };
  expect(await send()).toMatchObject({ error_message: expect.stringContaining('--allow') as string });
  // Nothing answers there, but the address is tried.
  expect(await send('--allow', '127.0.0.0/8')).toMatchObject({
    error_message: expect.not.stringContaining('--allow') as string,
  });
});
