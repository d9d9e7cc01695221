import { expect, test } from 'vitest';
import { outcomeOfAnswer, type AnswerReading } from './agent-answer.ts';

const READING: AnswerReading = {
  via: 'gateway',
  isLocal: true,
  fileFolders: [],
  maxFileBytes: 100,
  failed: false,
  toPublic: (text) => text,
};

test('a run that was aborted elsewhere is a failure', async () => {
  const answer = { runId: 'run', status: 'timeout', summary: 'aborted', stopReason: 'rpc' };
  expect(await outcomeOfAnswer(answer, READING)).toEqual({
    state: 'failed',
    text: 'OpenClaw did not finish the turn: aborted.',
    metadata: { via: 'gateway' },
  });
});

test('a failure without a message gets a default message', async () => {
  expect(await outcomeOfAnswer({ ok: false }, READING)).toMatchObject({
    state: 'failed',
    text: 'OpenClaw failed without an error message. See its log.',
  });
});

test('files named by a remote gateway are not read on this machine', async () => {
  const answer = {
    payloads: [{ text: 'here', mediaUrls: [import.meta.filename] }],
    meta: { systemPromptReport: { workspaceDir: import.meta.dirname } },
  };
  const large = { ...READING, maxFileBytes: 1_000_000 };
  expect(await outcomeOfAnswer(answer, large)).toMatchObject({
    parts: [{ text: 'here' }, { raw: expect.any(String) }],
  });
  expect(await outcomeOfAnswer(answer, { ...large, isLocal: false })).toMatchObject({
    parts: [{ text: 'here' }],
    metadata: { omittedFiles: [{ name: 'agent-answer.test.ts' }] },
  });
});

test('an answer with text and errors is an answer', async () => {
  const payloads = [{ text: 'Done.' }, { text: 'The tool exec failed', isError: true }];
  expect(await outcomeOfAnswer({ payloads }, READING)).toMatchObject({
    state: 'completed',
    parts: [{ text: 'Done.' }],
    metadata: { warnings: ['The tool exec failed'] },
  });
});
