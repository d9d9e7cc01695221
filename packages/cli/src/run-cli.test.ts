import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { startHoldword } from './testing/start-holdword.ts';

/** Runs before the program. */
const PRINT_LOADED = `import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on('exit', () => {
  const foreign = loaded.filter((url) => url.startsWith('file:') && !url.includes('/packages/cli/'));
  const packages = foreign.map((url) => url.replace(/.*\\/(?:packages|node_modules)\\//, ''));
  process.stdout.write('loaded ' + JSON.stringify(packages) + '\\n');
});`;

async function run(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  let out = '';
  let error = '';
  const code = await runCli(words, {
    environment: {},
    workingFolder: import.meta.dirname,
    terminal: {
      out: (text) => void (out += text),
      announce: (text) => void (out += text),
      written: async () => {},
      error: (text) => void (error += text),
      errorsAreWatched: false,
      columns: 100,
      style: (_format, text) => text,
    },
  });
  return { code, out, error };
}

/** The modules outside the command line's own package that a command loads. */
async function loadedBy(...words: string[]): Promise<string[]> {
  const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(PRINT_LOADED)}`];
  const holdword = startHoldword(words, { nodeArguments });
  await holdword.ended;
  const [, loaded = ''] = /^loaded (.*)$/m.exec(holdword.output()) ?? [];
  return JSON.parse(loaded);
}

test('help lists the commands, and describes one or a group', async () => {
  expect((await run()).out).toContain('  keys ');
  expect((await run('help', 'keys')).out).toContain('keys rotate NAME');
  expect((await run('help', 'serve')).out).toContain('--grpc-port N|off');
  expect((await run('serve', '--port', '1', '--help')).out).toContain('Usage: holdword serve [options]');
  expect((await run('help', 'hub')).out).toMatch(
    /Usage: holdword hub \[options\][^]*responder +the agent of the hub/,
  );
  expect((await run('help', 'hub')).out).not.toMatch(/^ +--(\[no-\])?hub/m);
  expect((await run('help', 'serve')).out).toMatch(/--\[no-\]hub +Also serve a hub/);
  expect((await run('help', 'keys')).out).toMatch(/keys add NAME[^]*keys revoke NAME/);
  const help = { ...(await run('help', 'keys')), code: 0 };
  for (const word of ['--help', '-h']) expect(await run('keys', word)).toEqual(help);
});

test.each(['--version', '-v', '-V', 'version'])('%s prints only the version', async (word) => {
  expect(await run(word)).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    error: '',
  });
});

test('the version and the overview load no more than the check of Node, and help loads no server', async () => {
  expect(await loadedBy('--version')).toEqual(['net/src/supported-node.ts']);
  for (const words of [['help'], ['--help']]) {
    expect(await loadedBy(...words), words.join(' ')).toEqual(['net/src/supported-node.ts']);
  }
  const forHelp = await loadedBy('help', 'serve');
  expect(forHelp).not.toEqual([]);
  expect(forHelp.filter((url) => /^(?:store|client|runtime\/src\/runtime\.ts)/.test(url))).toEqual([]);
});

test.each([
  [
    ['sevre'],
    'Unknown command "sevre". Did you mean "holdword serve"? Run "holdword help" for a list of commands.',
  ],
  [
    ['--verison'],
    'Unknown option --verison. Did you mean --version? Run "holdword help" for a list of commands.',
  ],
  [['--port', '1', 'serve'], 'Unknown option --port. Options follow the command. Run "holdword help"'],
  [
    ['keys'],
    'Missing subcommand: use holdword keys add, holdword keys list, holdword keys rotate, holdword keys revoke.',
  ],
  [['keys', 'revok', 'x'], 'Unknown command "keys revok". Did you mean "holdword keys revoke"?'],
  [['banana', '--help'], 'Unknown command "banana". Run "holdword help"'],
  [['help', 'banana'], 'Unknown command "banana". Run "holdword help"'],
  [['help', 'serve', 'x'], 'Unexpected "x" after "help serve".'],
  [['help', 'keys', 'x'], 'Unknown command "keys x".'],
  [['serve', '--prot', '1'], 'Unknown option --prot. Did you mean --port?'],
  [['serve', '--port', 'x'], '--port: expected a port number from 0 to 65535, found "x".'],
  [['serve', '--grace', '2h'], '--grace: expected a number of seconds from 0 to 3600, found "2h".'],
  [['serve', '--grace', '500ms'], '--grace: expected a number of seconds from 0 to 3600, found "500ms".'],
  [['keys', 'add'], 'Missing argument NAME. Usage: holdword keys add NAME'],
  [['keys', 'add', 'x', '--expires', 'soon'], '--expires: expected a duration such as 90d'],
  [['keys', 'list', '--store', 'memory'], 'The memory store does not keep API keys'],
  [['mcp'], 'No agents given. Use --agents FILE or --agent ID=URL.'],
  [['mcp', '--agent', 'demo'], '--agent: expected ID=URL, found "demo".'],
  [['mcp', '--agent', 'demo=ftp://x'], 'Invalid agents: demo.url: expected an http or https URL'],
  [['mcp', '--agents', 'none.json'], 'The agents file'],
  [['mcp', 'check', '--agents', 'none.json'], 'The agents file'],
  [['mcp', '--agent', 'a=http://x', '--http', '70000'], '--http: expected a port number from 0 to 65535'],
  [['mcp', '--agent', 'a=http://x', '--on-cancel', 'x'], '--on-cancel: expected leave or cancel, found "x".'],
  [['mcp', '--agent', 'a=http://x', '--timeout', 'x'], '--timeout: expected a duration'],
  [['mcp', '--agent', 'a=http://x', '--extra-tools', 'x'], '--extra-tools: expected cancelTask, listTasks,'],
  [['serve', '--agent', 'dmeo'], 'Unknown agent "dmeo". Did you mean "demo"?'],
])('%j exits with code 2 and says what to write', async (words, message) => {
  const { code, out, error } = await run(...words);
  expect(error).toContain(`holdword: ${message}`);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a key that could not be shown is lost, and the error says what to do', async () => {
  const data = await mkdtemp(join(tmpdir(), 'holdword-key-'));
  onTestFinished(() => rm(data, { recursive: true }));
  for (const words of [
    ['keys', 'add', 'laptop'],
    ['keys', 'rotate', 'laptop'],
  ]) {
    const holdword = startHoldword([...words, '--data', data], {
      node: '/bin/sh',
      nodeArguments: ['-c', '"$0" "$@" >/dev/full', process.execPath],
    });
    expect(await holdword.ended).toBe(1);
    expect(holdword.output()).toBe(
      'holdword: Could not write the output: no space left on device. The key "laptop" is stored, but nobody has seen it. ' +
        'Replace it with: holdword keys rotate laptop\n',
    );
  }
});

test.each([['--help'], ['--version'], ['help', 'serve']])(
  'output of %s that cannot be written is a failure in one line, unless its reader has left',
  async (...words) => {
    const into = async (target: string) => {
      const script = `{ sleep 0.2; "$0" "$@"; echo "code $?" >&2; } ${target}`;
      const shell = ['-c', script, process.execPath];
      const holdword = startHoldword(words, { node: '/bin/sh', nodeArguments: shell });
      await holdword.ended;
      return holdword.output();
    };
    expect(await into('>/dev/full')).toBe(
      'holdword: Could not write the output: no space left on device.\ncode 1\n',
    );
    expect(await into('| true')).toBe('code 0\n');
  },
);
