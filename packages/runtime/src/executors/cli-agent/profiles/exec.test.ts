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
