import { expect, test } from 'vitest';
import { printing, startReplay } from '../testing/replay.ts';
import { codexProfile, type CodexOptions } from './codex.ts';

const start = (script: string, options: CodexOptions = {}): ReturnType<typeof startReplay> =>
  startReplay((program) => codexProfile({ ...options, program }), script);
const sample = (name: string): string => printing(`codex/${name}`);

test('streams its messages, reports activities and ends with the last message', async () => {
  const { say } = await start(sample('answer'));
  const { events, last } = await say('how many files?');
  expect(events).toEqual([
    'submitted',
    'working',
    'artifact response Let me look.',
    'working Running a command.',
    'working Using tool stat.',
    'artifact+ response \n\nThere is one file.',
    'artifact+ response ',
    'completed There is one file.',
  ]);
  expect(last).toMatchObject({
    statusUpdate: { status: { message: { metadata: { usage: { input_tokens: 16668, output_tokens: 5 } } } } },
  });
});

test('passes the message on stdin, and resumes the thread of the context', async () => {
  const options = { model: 'gpt-6', sandbox: 'read-only', arguments: ['--ephemeral'] };
  const { say, calls } = await start(sample('answer'), options);
  await say('first', 'c1');
  await say('second', 'c1');
  const call = 'exec|--json|--skip-git-repo-check|--model=gpt-6|--sandbox=read-only|--ephemeral|';
  expect(await calls()).toEqual([
    `${call}-|first`,
    `${call}resume|019f96b7-e404-7673-8853-2938007f2629|-|second`,
  ]);
});

test('fails with the reported reason', async () => {
  const { say } = await start(`${sample('refused-model')}; exit 1`);
  expect((await say('hi')).events.at(-1)).toBe(
    'failed The agent codex failed: unexpected status 400 Bad Request: model not supported',
  );
});

test('fails with the stderr of a program without a result', async () => {
  const { say } = await start('echo "error: unexpected argument" >&2; exit 2');
  expect((await say('hi')).events.at(-1)).toBe(
    'failed The agent codex exited with code 2: error: unexpected argument',
  );
});

test('starts a new thread when the old one is lost', async () => {
  const gone =
    'echo "Error: thread/resume failed: no rollout found for thread id x (code -32600)" >&2; exit 1';
  const { say, calls } = await start(`case "$*" in *resume*) ${gone};; esac\n${sample('answer')}`);
  await say('first', 'c1');
  expect((await say('second', 'c1')).events.at(-1)).toBe('completed There is one file.');
  expect(await calls()).toHaveLength(3);
});

test('does not mistake other output on stderr for a lost thread', async () => {
  const noise = 'echo "failed to record rollout items: thread 01 not found" >&2';
  const { say, calls } = await start(`${noise}\n${sample('answer')}`);
  await say('first', 'c1');
  await say('second', 'c1');
  expect(await calls()).toHaveLength(2);
});
