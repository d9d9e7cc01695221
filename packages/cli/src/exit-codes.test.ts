import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAllCommands } from './commands/all-commands.ts';
import { runCli } from './run-cli.ts';
import { startHoldword } from './testing/start-holdword.ts';
import { NO_TERMINAL } from './testing/test-config.ts';

/** The folder has data with a key named `laptop`, and a file named `file`. */
let workingFolder: string;

async function run(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  let out = '';
  let error = '';
  const terminal = {
    ...NO_TERMINAL,
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
  };
  const code = await runCli(words, { environment: {}, workingFolder, terminal });
  return { code, out, error };
}

/** Servers listen to the signals of their process, so each is one of its own. */
async function runProcess(...words: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const holdword = startHoldword(words, { cwd: workingFolder });
  return { code: await holdword.ended, out: '', error: holdword.output() };
}

beforeAll(async () => {
  workingFolder = await mkdtemp(join(tmpdir(), 'holdword-codes-'));
  await writeFile(join(workingFolder, 'file'), '');
  await writeFile(join(workingFolder, 'broken.json'), '{ "port": "x" }');
  const jwt = { issuer: 'https://id.example', audience: 'agent', jwksFile: 'none.json' };
  await writeFile(join(workingFolder, 'keyless.json'), JSON.stringify({ authentication: { jwt } }));
  await writeFile(join(workingFolder, 'unaudited.json'), '{ "audit": { "file": "none/audit.jsonl" } }');
  const exec = { workingDirectory: './nowhere' };
  await writeFile(
    join(workingFolder, 'no-folder.json'),
    JSON.stringify({ agent: 'exec:cat', agentOptions: { exec } }),
  );
  const card = { name: 'Odd', description: '', skils: [] };
  const agent = `export default { card: ${JSON.stringify(card)}, execute: async () => {} };`;
  await writeFile(join(workingFolder, 'unknown-field.mjs'), agent);
  await run('keys', 'add', 'laptop');
});
afterAll(() => rm(workingFolder, { recursive: true }));

interface Outcomes {
  succeeds?: string[][];
  fails?: string[][];
  misused?: string[][];
}

/** The commands that list records of a hub, and those for one of them. */
const HUB_RECORDS: Record<string, Outcomes> = Object.fromEntries(
  ['agents', 'sessions', 'handoffs', 'alarms'].flatMap((kind) => [
    [`hub ${kind} list`, { succeeds: [[]], fails: [['--data', 'none']], misused: [['--limit', 'x']] }],
    ...['show', ...(kind === 'agents' ? ['block', 'unblock', 'delete', 'rotate'] : [])].map(
      (verb) => [`hub ${kind} ${verb}`, { fails: [['nobody'], ['nobody', '--data', 'none']] }] as const,
    ),
  ]),
);

/** For each command: what succeeds, what fails, and what is a usage error besides wrong options and operands. */
const OUTCOMES: Record<string, Outcomes> = {
  serve: {
    fails: [
      ['--data', 'file', '--port', '0'],
      ['--host', '192.0.2.1'],
      ['--host', '0.0.0.0', '--data', 'new'],
    ],
    misused: [
      ['--port', 'x'],
      ['--agent', 'nobody'],
      ['--agent', 'exec'],
      ['--config', 'broken.json'],
      ['--config', 'keyless.json'],
      ['--agent', './unknown-field.mjs'],
    ],
  },
  hub: {
    fails: [['--data', 'file', '--port', '0']],
    misused: [
      ['--port', 'x'],
      ['--config', 'none.json'],
    ],
  },
  ...HUB_RECORDS,
  // What they do with an agent is tested with one, beside them.
  // What they do is tested with a host and a worker.
  connect: {},
  'agents add': {},
  'agents list': {},
  'agents rotate': {},
  'agents remove': {},
  send: { misused: [[], ['hello', '-a', 'localhost:1', '--timeout', 'soon']] },
  chat: { misused: [['-a', 'localhost:1', '--poll-interval', 'x']] },
  'card get': { misused: [[], ['-a', 'localhost:1', '-o', 'xml']] },
  'task get': { misused: [['x', '-a', 'localhost:1', '--history', 'all']] },
  'task list': { misused: [['-a', 'localhost:1', '--status', 'odd']] },
  'task cancel': {},
  'task subscribe': {},
  'task fork': {
    misused: [
      ['x', '-a', 'localhost:1'],
      ['x', '-a', 'localhost:1', '--at', '0'],
    ],
  },
  'task download': {},
  'task push-config create': { misused: [['x', '-a', 'localhost:1']] },
  'task push-config list': {},
  'task push-config get': {},
  'task push-config delete': {},
  'task push-config listen': { misused: [['--port', 'x']] },
  'auth login': { misused: [[]] },
  'auth logout': { misused: [[]] },
  'auth status': { succeeds: [[]] },
  conformance: { misused: [[]] },
  'demo-server': {
    misused: [
      ['--port', 'x'],
      ['--login', 'odd'],
    ],
  },
  'skill show': { succeeds: [[]] },
  'skill install': { succeeds: [[]], fails: [[], ['--out', '/proc/x']], misused: [['--scope', 'odd']] },
  'task show': { fails: [['x', '--data', 'none'], ['file.jsonl'], ['./file']], misused: [['x']] },
  'task events': { fails: [['x', '--data', 'none']], misused: [['x', '--after', '-1']] },
  'task replay': { fails: [['file.jsonl'], ['./file']], misused: [['x'], ['./file', '--speed', '0']] },
  'task export': { fails: [['x', '--data', 'none']], misused: [['x']] },
  'task import': { fails: [['file'], ['none.jsonl']], misused: [['file', '--caller', '']] },
  mock: { fails: [['--from', './file']], misused: [[], ['--from', './file', '--port', 'x']] },
  record: {
    misused: [
      ['--agent', 'localhost:1'],
      ['--agent', 'localhost:1', '--out', 'x', '--port', '70000'],
    ],
  },
  diff: { fails: [['file', 'file']], misused: [['file']] },
  // They are written to the user's folder, so what they do is tested in folders of their own.
  'env add': {
    misused: [
      ['a.b', 'localhost:1'],
      ['x', 'localhost:1', '--key-from', 'secret'],
    ],
  },
  'env list': {},
  'env show': {},
  'env check': {},
  'env remove': {},
  import: { fails: [['--from', 'none.json']] },
  pair: { fails: [['--port', '1']], misused: [['--store', 'odd']] },
  join: { fails: [['7K3M-9QXA@127.0.0.1:1', '--port', '1']], misused: [['7K3M'], ['nocode@127.0.0.1:1']] },
  mcp: {
    fails: [['--agent', 'a=http://127.0.0.1:1', '--http', '0', '--host', '0.0.0.0']],
    misused: [[], ['--agent', 'a'], ['--agents', 'none.json']],
  },
  'mcp check': { fails: [['--agent', 'a=http://127.0.0.1:1']], misused: [[], ['--agent', 'a']] },
  'keys add': {
    succeeds: [['desktop']],
    fails: [['laptop'], ['x', '--data', 'file']],
    misused: [['bad name'], ['x', '--expires', 'soon'], ['x', '--store', 'memory']],
  },
  'keys list': { succeeds: [[]], fails: [['--data', 'none']], misused: [['--store', 'odd']] },
  'keys rotate': { succeeds: [['laptop']], fails: [['nobody']], misused: [['laptop', '--overlap', '1']] },
  'keys revoke': {
    fails: [['nobody'], ['laptop', '--data', 'none']],
    misused: [['laptop', '--store', 'memory']],
  },
  'push status': { succeeds: [[]], fails: [['--data', 'none']], misused: [['--state', 'odd']] },
  'push replay': {
    succeeds: [['all']],
    fails: [['nosuchtask'], ['all', '--data', 'none']],
    misused: [
      ['all', '--from', '1'],
      ['x', '--from', '0'],
    ],
  },
  'tasks list': {
    succeeds: [[]],
    fails: [['--data', 'none']],
    misused: [
      ['--state', 'odd'],
      ['--limit', '0'],
    ],
  },
  'tasks top': { succeeds: [[]], fails: [['--data', 'none']], misused: [['--every', 'soon']] },
  'tasks delete': {
    fails: [['nosuchtask'], ['nosuchtask', '--data', 'none']],
    misused: [[], ['nosuchtask', '--store', 'memory']],
  },
  init: {
    misused: [
      ['--access', 'odd'],
      ['--agent', 'nobody'],
    ],
  },
  doctor: { misused: [['-a', 'localhost:1', '--output', 'json'], ['extra']] },
  'console link': { misused: [['--port', 'x'], ['extra']] },
  'config check': {
    succeeds: [[]],
    misused: [
      ['--config', 'broken.json'],
      ['--config', 'keyless.json'],
      ['--config', 'unaudited.json'],
      ['--agent', 'nobody'],
      ['--agent', './none.ts'],
      ['--agent', 'openai'],
      ['--config', 'no-folder.json'],
      ['--port', 'x'],
    ],
  },
  'config show': { succeeds: [[]], misused: [['--config', 'broken.json']] },
  // What they do with OpenClaw is tested with the real one. There is none here.
  'openclaw install': { fails: [['x', '--openclaw', './none']], misused: [[]] },
  'openclaw enable': { fails: [['--openclaw', './none']] },
  'openclaw disable': { fails: [['--openclaw', './none']] },
  'openclaw uninstall': { fails: [['--openclaw', './none']] },
  'db migrate': { succeeds: [[]], fails: [['--data', 'file']], misused: [['--store', 'memory']] },
  'db status': {
    succeeds: [[]],
    fails: [
      ['--data', 'none'],
      ['--data', 'file'],
    ],
    misused: [['--store', 'memory']],
  },
  'db check': {
    succeeds: [[]],
    fails: [
      ['--data', 'none'],
      ['--data', 'file'],
    ],
    misused: [['--store', 'json-file']],
  },
  backup: {
    succeeds: [['copy.db']],
    fails: [['file'], ['none/copy.db'], ['other.db', '--data', 'none']],
    misused: [['other.db', '--store', 'memory']],
  },
  completion: { succeeds: [['bash'], ['zsh'], ['fish'], ['powershell']], misused: [['tcsh']] },
  version: { succeeds: [[]] },
};

const commands = await loadAllCommands();

test('every command is covered', () => {
  expect(Object.keys(OUTCOMES).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

describe.each(commands.map((command) => [command.name, command] as const))('holdword %s', (name, command) => {
  const words = name.split(' ');
  const operands = command.operands ?? [];
  const { succeeds = [], fails = [], misused = [] } = OUTCOMES[name] ?? {};
  const perform = ['serve', 'hub', 'mcp'].includes(name) ? runProcess : run;

  test('0: its help, and success', async () => {
    expect(await run(...words, '--help')).toMatchObject({ code: 0, error: '' });
    for (const given of succeeds)
      expect(await run(...words, ...given), given.join(' ')).toMatchObject({ code: 0 });
  });

  test('1: a failure, with its reason on stderr', { timeout: 60_000 }, async () => {
    for (const given of fails) {
      const { code, out, error } = await perform(...words, ...given);
      expect({ code, out }, `${given.join(' ')}: ${error}`).toEqual({ code: 1, out: '' });
      expect(error, given.join(' ')).not.toMatch(/^$|    at /);
    }
  });

  test('2: a usage error, with what to write on stderr', { timeout: 60_000 }, async () => {
    const wrong = [['--nonsense'], [...operands, 'more'], ...(operands.length > 0 ? [[]] : []), ...misused];
    for (const given of wrong) {
      const { code, out, error } = await perform(...words, ...given);
      expect({ code, out }, `${given.join(' ')}: ${error}`).toEqual({ code: 2, out: '' });
      expect(error).toMatch(command.misused === undefined ? /^holdword: / : /^Error: A2ACLI_ERR_USAGE\n/);
    }
  });

  if ('json' in command.options) {
    test('--json prints nothing but JSON', async () => {
      for (const given of succeeds) {
        const again = name === 'keys add' ? ['json'] : name === 'backup' ? ['json.db'] : given;
        const { code, out } = await run(...words, ...again, '--json');
        expect(code).toBe(0);
        expect(JSON.parse(out)).toBeTypeOf('object');
        expect(out.endsWith('\n')).toBe(true);
      }
    });
  }
});

async function json(...words: string[]): Promise<unknown> {
  return JSON.parse((await run(...words, '--json')).out);
}

test('JSON has what the tables have', async () => {
  const time: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
  const data = `${join(workingFolder, '.holdword')} (sqlite)`;
  expect(await json('keys', 'add', 'ci', '--expires', '1d')).toEqual({
    id: expect.any(String) as string,
    name: 'ci',
    role: 'caller',
    createdAt: time,
    expiresAt: time,
    key: expect.stringMatching(/^holdword_/) as string,
    data,
  });
  const listed = (await json('keys', 'list')) as { keys: { name: string }[] };
  expect(listed.keys.map(({ name }) => name)).toContain('ci');
  expect(JSON.stringify(listed)).not.toContain('ecret');
  expect(await json('push', 'status')).toEqual({
    targets: [],
    counts: { active: 0, failing: 0, dead: 0, finished: 0 },
  });
  expect(await json('db', 'check')).toEqual({ damage: [], notices: [] });
  expect(await json('db', 'status')).toMatchObject({
    data,
    version: expect.any(Number) as number,
    events: 0,
  });
  expect(await json('version')).toEqual({
    version: expect.any(String) as string,
    node: process.versions.node,
  });
});
