import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { publicOutput, readTail, withoutSecrets } from './program-output.ts';

describe('error output for callers', () => {
  test('is the last lines, without colours and blank lines', () => {
    const text = 'one\ntwo\n\n\u001b[31mthree\u001b[0m\n  four  \n';
    expect(publicOutput(text, {})).toBe('two\nthree\nfour');
  });

  test('is short', () => {
    const told = publicOutput(`${'x'.repeat(2_000)} the end`, {});
    expect(told).toHaveLength(500);
    expect(told).toMatch(/^….*the end$/);
  });

  test.each([
    ['Cannot open /home/ada/secret/notes.txt: denied', 'Cannot open [path]: denied'],
    ["no such file, open '/etc/agent.json'", "no such file, open '[path]'"],
    ['see file:///srv/log.txt', 'see file://[path]'],
    ['in ~/.config/agent and C:\\Users\\ada\\agent.log', 'in [path] and [path]'],
    ['path=/opt/x (from "/a/b")', 'path=[path] (from "[path]")'],
    ['1: cannot open /dev/stderr: No such device or address', undefined],
    ['cannot open /dev/stdin/x or /dev/sda', 'cannot open [path] or [path]'],
    ['GET https://api.example.com/v1/chat failed and/or timed out', undefined],
  ])('contains no local path: %s', (text, expected) => {
    expect(publicOutput(text, {})).toBe(expected ?? text);
  });

  test('contains no stack trace', () => {
    const text =
      'TypeError: x is not a function\n    at run (/srv/agent.js:1:2)\n    at node:internal/main:3:4\n';
    expect(publicOutput(text, {})).toBe('TypeError: x is not a function');
  });

  test('is the reason, not what Node prints around it', async () => {
    const program = spawn(process.execPath, ['-e', "require('fs').readFileSync('/nowhere/notes.txt')"]);
    const text = await readTail(program.stderr, 10_000);
    expect(text).toContain("path: '/nowhere/notes.txt'");
    expect(publicOutput(text, {})).toBe("Error: ENOENT: no such file or directory, open '[path]'");
  });

  test('keeps indented lines after a stack line if they are not the fields of an error', () => {
    const text = 'Error: no\n    at run (/srv/agent.js:1:2) {\n  code: 1\nthe config {\n  is: wrong\n}\n';
    expect(publicOutput(text, {})).toBe('the config {\nis: wrong\n}');
  });

  test('contains no terminal sequences: colours, titles, links, unfinished ones', () => {
    const link = '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u0007';
    expect(publicOutput(`\u001b[1;31mno\u001b[m \u001b]0;title\u0007access, see ${link}\u001b[`, {})).toBe(
      'no access, see here',
    );
  });

  // Work that grows with the square of the output would take hours here.
  test.each([
    ['stack lines that open a brace', '\tat a {\n'],
    ['carets', '^'],
    ['unfinished terminal titles', '\u001b]'],
    ['unfinished colours', '\u001b[1;'],
    ['indented lines', '    at a {\n    b\n'],
  ])('is found after a megabyte of %s', (_, noise) => {
    const text = `${noise.repeat((1024 * 1024) / noise.length)}x\nno access`;
    expect(publicOutput(text, {})).toMatch(/no access$/);
  });

  test('is the reason, not the excerpt that Python prints before it', () => {
    const text =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 1, in <module>\n    open("/x")\n    ~~~~^^^^^^\n' +
      "FileNotFoundError: [Errno 2] No such file or directory: '/x'\n";
    expect(publicOutput(text, {})).toBe(
      "Traceback (most recent call last):\nFileNotFoundError: [Errno 2] No such file or directory: '[path]'",
    );
  });
});

describe('secrets', () => {
  test('from the environment are redacted everywhere', () => {
    const environment = { TOOL_API_KEY: 'abcd-efgh-1234', PATH: '/usr/bin', SHORT_TOKEN: 'ab' };
    expect(withoutSecrets('key abcd-efgh-1234, in /usr/bin, ab', environment)).toBe(
      'key [redacted], in /usr/bin, ab',
    );
  });

  test.each([
    ['Incorrect API key: sk-proj-abcdefgh12345678', 'Incorrect API key: [redacted]'],
    ['Authorization: Bearer abcdefgh.12345678', 'Authorization: Bearer [redacted]'],
    ['https://ada:hunter22@example.com/x', 'https://ada:[redacted]@example.com/x'],
    ['{"api_key": "0123456789abcdef"}', '{"api_key": "[redacted]"}'],
    ['token=0123456789abcdef', 'token=[redacted]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[redacted]'],
    ['key AIzaSyA0123456789abcdefghijk', 'key [redacted]'],
    ['password=hunter2', 'password=[redacted]'],
    ['login failed: passwd: ab for ada', 'login failed: passwd: [redacted] for ada'],
    ['password: >ab', 'password: [redacted]'],
    ['MYSQL_PWD=x1', 'MYSQL_PWD=[redacted]'],
    ['client_secret=abc and more', 'client_secret=[redacted] and more'],
    ['{"password": "my \\"dog\\" Rex", "user": "ada"}', '{"password": "[redacted]", "user": "ada"}'],
    ["password => 'my dog'", "password => '[redacted]'"],
    ['body: {\\"dbPassword\\":\\"hunter2\\"}', 'body: {\\"dbPassword\\":[redacted]'],
  ])('are recognized by their format: %s', (text, expected) => {
    expect(withoutSecrets(text, {})).toBe(expected);
  });

  test('are not found in ordinary text', () => {
    const text =
      'The token limit was reached after 12 steps; basic checks passed.\nEnter password:\nNo password given.';
    expect(withoutSecrets(text, { TOKEN_LIMIT: '4096' })).toBe(text);
  });
});

function streamOf(...texts: string[]): Readable {
  return Readable.from(
    texts.map((text) => Buffer.from(text)),
    { objectMode: false },
  );
}

test('keeps everything that fits', async () => {
  expect(await readTail(streamOf('one ', 'two'), 7)).toBe('one two');
  expect(await readTail(streamOf(), 7)).toBe('');
});

test('keeps the end of what does not fit', async () => {
  expect(await readTail(streamOf('first', 'second', 'third'), 8)).toBe('ondthird');
});

test('does not split a character, at the start or at the end', async () => {
  expect(await readTail(streamOf('ää€'), 4)).toBe('€');
  const euro = Buffer.from('€');
  const cut = Readable.from([Buffer.from('a'), euro.subarray(0, 2)], { objectMode: false });
  expect(await readTail(cut, 10)).toBe('a');
});

test('returns what had arrived when the stream was closed early', async () => {
  const stream = new Readable({ read: () => {} });
  stream.push('so far');
  const tail = readTail(stream, 100);
  await expect.poll(() => stream.readableLength).toBe(0);
  stream.destroy();
  expect(await tail).toBe('so far');
});
