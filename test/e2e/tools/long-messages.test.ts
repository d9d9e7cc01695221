import { LocalFileStore } from '@holdword/client';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { openTools, startTestAgent } from './open-tools.ts';

const LONG = Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(' ');

test('a long status message says how to view the rest, and can be viewed', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  const { id, status } = await tools.sendMessage('agent', `artifact a x; complete ${LONG}`);
  expect(status).toMatchObject({
    state: 'completed',
    message: {
      kind: 'message',
      parts: [
        {
          _total_characters: LONG.length,
          _tip: 'Text was minimized. Call viewTextArtifact() with artifactId "_message" to see specific line ranges.',
        },
      ],
    },
  });
  expect(
    await tools.viewTextArtifact('agent', String(id), '_message', null, null, 40_000, 40_020),
  ).toMatchObject({
    parts: [{ kind: 'text', text: LONG.slice(40_000, 40_020) }],
  });
});

test('a long plain message can be viewed by its id', async () => {
  const { url } = await startSdkAgent({
    interfaces: [{ binding: 'JSONRPC', version: '1.0' }],
    streaming: false,
  });
  const tools = openTools({ agent: { url } });
  const { kind, parts } = await tools.sendMessage('agent', `message ${LONG}`);
  expect(kind).toBe('message');
  const [{ _tip: tip } = { _tip: '' }] = parts as { _tip: string }[];
  const messageId = /taskId "([^"]+)" and artifactId "_message"/.exec(tip)?.[1] ?? '';
  expect(
    await tools.viewTextArtifact('agent', messageId, '_message', null, null, 40_000, 40_020),
  ).toMatchObject({
    parts: [{ text: LONG.slice(40_000, 40_020) }],
  });
});

test('a long text that is both message and artifact is shown once', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  const text = 'the same answer '.repeat(100).trim();
  const result = await tools.sendMessage('agent', `artifact a ${text}; complete ${text}`);
  expect(result).toMatchObject({
    status: { state: 'completed', message: null, _message_in_artifact: 'a' },
    artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text }] }],
  });
  const short = await tools.sendMessage('agent', 'artifact a short; complete short');
  expect(short).toMatchObject({ status: { message: 'short' }, artifacts: [{ parts: [{ text: 'short' }] }] });
});

test('a model is told why a file was not saved', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const agent = await startTestAgent();
  const send = async (session: { fileStore?: LocalFileStore }): Promise<unknown> => {
    const tools = openTools({ agent }, { session });
    const answer = await tools.session.sendMessage('agent', [
      { kind: 'text', text: 'mirror; part url http://127.0.0.1:1025/secret; complete' },
      { kind: 'file', file: { bytes: Buffer.alloc(3_000).toString('base64'), name: 'large.bin' } },
      { kind: 'file', file: { bytes: Buffer.alloc(10).toString('base64'), name: 'small.bin' } },
    ]);
    const id = answer.kind === 'task' ? answer.id : '';
    return (await tools.getTask('agent', id))['artifacts'];
  };
  const fileStore = new LocalFileStore(folder.path, { maxFileBytes: 1_000 });
  expect(await send({ fileStore })).toMatchObject([
    {
      parts: [
        { kind: 'text' },
        {
          name: 'large.bin',
          bytes: { _error: 'The file was not saved because it is larger than 1,000 bytes.' },
        },
        { name: 'small.bin', bytes: { _saved_to: [expect.stringMatching(/small\.bin$/)] } },
      ],
    },
    {
      parts: [
        {
          uri: {
            _uri: 'http://127.0.0.1:1025/secret',
            _error: expect.stringMatching(/^The file was not saved because its URL is not allowed: /),
          },
        },
      ],
    },
  ]);
  expect(JSON.stringify(await send({}))).toContain('there is no file store');
});

test('an artifact that is only a file is not said to be data', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  const { id } = await tools.sendMessage('agent', 'part url https://files.example/a.txt; complete');
  expect(await tools.viewTextArtifact('agent', String(id), 'url')).toMatchObject({
    error_message: expect.stringContaining(
      'only file. Use getTask: the file part says where the file is, or why it was not saved.',
    ),
  });
});
