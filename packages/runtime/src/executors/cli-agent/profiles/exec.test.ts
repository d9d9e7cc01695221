import { expect, test } from 'vitest';
import { sendForTask } from '../../../operations/testing/start-test-operations.ts';
import { startCliAgent } from '../testing/start-cli-agent.ts';
import { execProfile, splitCommandLine } from './exec.ts';

async function answer(command: string, text: string): Promise<string | undefined> {
  const { operations } = await startCliAgent(execProfile({ command }));
  const { status } = await sendForTask(operations, text);
  return status.message?.parts[0]?.text;
}

test('passes the message on stdin', async () => {
  expect(await answer('tr a-z A-Z', 'hello there')).toBe('HELLO THERE');
});

test('passes the message inside one argument, whatever it contains', async () => {
  expect(await answer('printf "[%s][%s]" {prompt} x={prompt}', '$(id); `id` "$&" \n\'')).toBe(
    '[$(id); `id` "$&" \n\'][x=$(id); `id` "$&" \n\']',
  );
});

test('keeps blank lines and indentation, and drops the final line break', async () => {
  expect(await answer('printf "  a\\n\\n  b\\n\\n"', 'go')).toBe('  a\n\n  b');
});

test.each([
  'cat {prompt}',
  '/bin/echo {prompt}',
  '/bin/echo x={prompt} {prompt}',
  '/bin/echo a {prompt}--',
  'env -- date {prompt}',
])('a message never becomes an option: %s', async (command) => {
  for (const message of ['--version', '-n', '-']) {
    const { operations } = await startCliAgent(execProfile({ command }));
    expect((await sendForTask(operations, message)).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: {
        parts: [{ text: expect.stringContaining('does not accept messages that start with a dash') }],
      },
    });
  }
});

test('a message may start with a dash where it cannot be an option', async () => {
  expect(await answer('printf %s -- {prompt}', '--version')).toBe('----version');
  expect(await answer('printf %s text={prompt}', '--version')).toBe('text=--version');
  expect(await answer('printf %s%s -- {prompt} {prompt}', '-n')).toBe('---n-n');
  expect(await answer('cat', '--version')).toBe('--version');
  expect(await answer('cat -- {prompt}', '--version')).toMatch(/--version: No such file/);
});

test.each([
  [[], 'execProfile({ command }): expected an object, found nothing.'],
  [[{}], 'execProfile({ command }): command: expected a string, found nothing.'],
  [[{ command: 5 }], 'execProfile({ command }): command: expected a string, found 5.'],
])('%j is rejected', (given, message) => {
  expect(() => Reflect.apply(execProfile, undefined, given)).toThrow(message);
});

test('needs a command', () => {
  expect(() => execProfile({ command: '  ' })).toThrow('No command to run');
  expect(execProfile({ command: 'wc -w' }).card.name).toBe('wc');
});

test('the card names the file without its folder', () => {
  expect(execProfile({ command: './tools/shout.sh --loud' }).card).toEqual({
    name: 'shout.sh',
    description: 'Runs shout.sh for each message and answers with its output.',
  });
});

test.each([
  ['summarise --short', ['summarise', '--short']],
  ['  many   blanks\t here ', ['many', 'blanks', 'here']],
  [`say 'one word' "another word"`, ['say', 'one word', 'another word']],
  [`glued" to "gether`, ['glued to gether']],
  [`'' ""`, ['', '']],
  [String.raw`a\ b "c\"d\\" 'e\f' "g\n"`, ['a b', 'c"d\\', String.raw`e\f`, String.raw`g\n`]],
  ['echo $HOME *.txt | cat; rm', ['echo', '$HOME', '*.txt', '|', 'cat;', 'rm']],
  ['', []],
])('%s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test('an unclosed quote is an error', () => {
  expect(() => splitCommandLine('say "hello')).toThrow('Missing closing " in the command');
});
