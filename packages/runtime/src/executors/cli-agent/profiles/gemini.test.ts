import { expect, test } from 'vitest';
import { printing, startReplay } from '../testing/replay.ts';
import { geminiProfile, type GeminiOptions } from './gemini.ts';

const start = (script: string, options: GeminiOptions = {}): ReturnType<typeof startReplay> =>
  startReplay((program) => geminiProfile({ ...options, program }), script);
const sample = (name: string): string => printing(`gemini/${name}`);

test('streams the answer and reports tools', async () => {
  const { say } = await start(sample('answer'));
  const { events, last } = await say('how many files');
  expect(events).toEqual([
    'submitted',
    'working',
    'artifact response Let me look.',
    'working Using tool list_directory.',
    'artifact+ response \n\nThere is one file.',
    'artifact+ response ',
    'completed Let me look.\n\nThere is one file.',
  ]);
  expect(last).toMatchObject({
    statusUpdate: {
      status: { message: { metadata: { model: 'gemini-3-pro', usage: { total_tokens: 512 } } } },
    },
  });
});

test('passes the message on stdin, and resumes the session of the context', async () => {
  const options = { model: 'flash', approvalMode: 'auto_edit', arguments: ['--debug'] };
  const { say, calls } = await start(sample('answer'), options);
  await say('first', 'c1');
  await say('second', 'c1');
  const call = '--output-format=stream-json|--model=flash|--approval-mode=auto_edit|';
  expect(await calls()).toEqual([
    `${call}--debug|first`,
    `${call}--resume=7bffa130-8c69-4cf8-ac8a-0d36b2d99f53|--debug|second`,
  ]);
});

test('fails with the reported reason', async () => {
  const { say } = await start(`${sample('too-many-steps')}; exit 53`);
  expect((await say('hi')).events.at(-1)).toBe(
    'failed The agent gemini failed: Maximum session turns exceeded',
  );
});

test('fails with the stderr of a program without a result', async () => {
  const { say } = await start('echo "Please set an Auth method" >&2; exit 41');
  expect((await say('hi')).events.at(-1)).toBe(
    'failed The agent gemini exited with code 41: Please set an Auth method',
  );
});

test('starts a new session when the old one is lost', async () => {
  const gone = `echo 'Error resuming session: Invalid session identifier "x".' >&2; exit 42`;
  const { say, calls } = await start(`case "$*" in *--resume*) ${gone};; esac\n${sample('answer')}`);
  await say('first', 'c1');
  expect((await say('second', 'c1')).events.at(-1)).toBe('completed Let me look.\n\nThere is one file.');
  expect(await calls()).toHaveLength(3);
});
