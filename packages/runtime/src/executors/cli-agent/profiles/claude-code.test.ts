import { expect, test } from 'vitest';
import { printing, startReplay } from '../testing/replay.ts';
import { claudeCodeProfile, type ClaudeCodeOptions } from './claude-code.ts';

const start = (script: string, options: ClaudeCodeOptions = {}): ReturnType<typeof startReplay> =>
  startReplay((program) => claudeCodeProfile({ ...options, program }), script);
const sample = (name: string): string => printing(`claude-code/${name}`);
const CALL = '--print|--output-format=stream-json|--verbose|--include-partial-messages|';

test('streams the answer, reports tools and leaves out subagents', async () => {
  const { say } = await start(sample('answer'));
  const { events, last } = await say('how many files?');
  expect(events.filter((event) => !event.includes('artifact'))).toEqual([
    'submitted',
    'working',
    'working Using tool Bash.',
    'completed There is one file.',
  ]);
  const answer = events
    .filter((event) => event.includes('artifact'))
    .map((event) => event.split('response ')[1]);
  expect(answer.join('')).toBe('Let me look.\n\nThere is one file.');
  expect(last).toMatchObject({
    statusUpdate: {
      status: {
        message: {
          metadata: {
            model: 'claude-sonnet-5',
            usage: { input_tokens: 2, output_tokens: 57 },
            costUsd: 0.25,
            steps: 2,
          },
        },
      },
    },
  });
});

test('passes the message on stdin, and resumes the session of the context', async () => {
  const options = { model: 'opus', permissionMode: 'acceptEdits', arguments: ['--max-turns=9'] };
  const { say, calls } = await start(sample('answer'), options);
  await say('first', 'c1');
  await say('second', 'c1');
  expect(await calls()).toEqual([
    `${CALL}--model=opus|--permission-mode=acceptEdits|--max-turns=9|first`,
    `${CALL}--model=opus|--permission-mode=acceptEdits|--resume=5f0c1d0e-0000-4000-8000-000000000001|--max-turns=9|second`,
  ]);
});

test('reads whole messages of a version that does not stream, and its new session', async () => {
  const { say, calls } = await start(sample('answer-without-parts'));
  const { events } = await say('hi', 'c1');
  expect(events.join('|')).toContain('response First.\n\nSecond.');
  expect(events.at(-1)).toBe('completed Second.');
  await say('hi', 'c1');
  expect((await calls())[1]).toBe(`${CALL}--resume=s2|hi`);
});

test.each([
  [
    'refused-key',
    'failed The agent claude-code failed: Failed to authenticate with [redacted]. API Error: 403',
  ],
  ['too-many-steps', 'failed The agent claude-code failed: error_max_turns'],
])('fails with the reported reason: %s', async (name, expected) => {
  const { say } = await start(sample(name));
  expect((await say('hi')).events.at(-1)).toBe(expected);
});

test('fails with the stderr of a program without a result', async () => {
  const { say } = await start('echo "Invalid option" >&2; exit 2');
  expect((await say('hi')).events.at(-1)).toBe(
    'failed The agent claude-code exited with code 2: Invalid option',
  );
});

test.each([
  ['in its result', `${sample('forgotten-session')}; exit 1`],
  ['on its error output', 'echo "No conversation found with session ID: s1" >&2; exit 1'],
])('starts a new session when the old one is lost, reported %s', async (_, complaint) => {
  const script = `case "$*" in *--resume*) ${complaint};; esac\n${sample('answer')}`;
  const { say, calls } = await start(script);
  await say('first', 'c1');
  expect((await say('second', 'c1')).events.at(-1)).toBe('completed There is one file.');
  expect((await calls()).map((call) => call.includes('--resume'))).toEqual([false, true, false]);
});
