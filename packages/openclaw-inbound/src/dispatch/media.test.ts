import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HostMedia } from '../host/host.ts';
import { ANONYMOUS, startScriptedAccount, type ScriptedAccount } from '../testing/start-scripted-account.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const FILES = { features: { files: true } };

async function start(
  account: Record<string, unknown>,
  answer: { text?: string; media: (folder: string) => HostMedia[] },
): Promise<ScriptedAccount> {
  const root = await mkdtemp(join(tmpdir(), 'holdword-media-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'outbound');
  await mkdir(folder);
  await writeFile(join(folder, 'dot---1.png'), PNG);
  await writeFile(join(root, 'secret.txt'), 'secret');
  return startScriptedAccount(
    (turn) => {
      const { text } = answer;
      if (text !== undefined) turn.onEvent({ kind: 'partial-text', text });
      // Text with a file is delivered as one block, without a final reply.
      const media = answer.media(folder);
      turn.onEvent({
        kind: 'reply',
        reply: 'block',
        ...(text !== undefined && { text }),
        media,
        isError: false,
      });
      turn.onEvent({ kind: 'outcome', outcome: 'completed' });
    },
    { account, fileFolders: [folder] },
  );
}

const picture = (folder: string): HostMedia[] => [
  { reference: join(folder, 'dot---1.png'), name: 'dot.png' },
];
const secret = (folder: string): HostMedia[] => [{ reference: join(folder, '..', 'secret.txt') }];
const PICTURE_PART = { raw: PNG.toString('base64'), mediaType: 'image/png', filename: 'dot.png' };

test('a file is part of the answer', async () => {
  const { send } = await start(FILES, { text: 'Here it is', media: picture });
  expect(await send('draw')).toMatchObject({ parts: [{ text: 'Here it is' }, PICTURE_PART] });
});

test('a caller without tools and private files receives no files of the agent', async () => {
  const { send } = await start(FILES, { text: 'Here it is', media: picture });
  const sent = JSON.stringify(await send('draw', { owner: ANONYMOUS }));
  expect(sent).toContain('File dot.png omitted');
  expect(sent).not.toContain(PNG.toString('base64'));
});

test('in a task it is in the artifact, and the text is in the status', async () => {
  const { sendForTask } = await start(
    { ...FILES, agentStyle: 'task-generating' },
    { text: 'Here it is', media: picture },
  );
  expect(await sendForTask('draw')).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Here it is' }] } },
    artifacts: [{ artifactId: 'assistant-output-0001', parts: [{ text: 'Here it is' }, PICTURE_PART] }],
  });
});

test('a file from another folder is not sent, and its path is not revealed', async () => {
  const { send } = await start(FILES, { text: 'Here', media: secret });
  const sent = JSON.stringify(await send('draw'));
  expect(sent).toContain('File secret.txt omitted');
  expect(sent).not.toContain(tmpdir());
  expect(sent).not.toContain(Buffer.from('secret').toString('base64'));
});

test('without the feature only text is sent, and an answer with only files says so', async () => {
  const worded = await start({}, { text: 'Here it is', media: picture });
  expect(await worded.send('draw')).toMatchObject({ parts: [{ text: 'Here it is' }] });
  const silent = await start({}, { media: picture });
  expect((await silent.sendForTask('draw')).status).toMatchObject({
    state: 'TASK_STATE_COMPLETED',
    message: { parts: [{ text: expect.stringContaining('files are disabled') }] },
  });
});
