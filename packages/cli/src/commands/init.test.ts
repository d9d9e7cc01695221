import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, taskOf, urlOf } from '../testing/talk.ts';

const SLOW = { timeout: 120_000 };

test('what it writes without questions is an agent that is served', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const { code, stdout } = await folder.run('init');
  expect(code).toBe(0);
  expect(stdout).toBe(
    'Wrote holdword.config.json\nWrote agent.mts\n\nNext:\n  holdword doctor\n  holdword serve\n',
  );
  const url = await urlOf(folder.serve());
  const { status } = await taskOf(await send(url, 'one two three'));
  expect(status.message?.parts).toEqual([{ text: '3 words.' }]);
});

test('a file that exists is kept, and nothing else is written', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'agent.mts'), 'mine');
  const { code, errors } = await folder.run('init', '--service', 'systemd');
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringContaining('agent.mts would be overwritten') as string,
  });
  expect(await readFile(join(folder.path, 'agent.mts'), 'utf8')).toBe('mine');
  await expect(readFile(join(folder.path, 'holdword.service'))).rejects.toThrow('ENOENT');
});

test('the unit for systemd starts the server', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await folder.run('init', '--agent', 'demo', '--service', 'systemd');
  const unit = await readFile(join(folder.path, 'holdword.service'), 'utf8');
  const [, line = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const [, cwd = ''] = /^WorkingDirectory=(.+)$/m.exec(unit) ?? [];
  const [program = '', ...words] = [...line.matchAll(/"([^"]+)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const server = spawn(program, words, {
    cwd,
    env: { PATH: process.env['PATH'], HOLDWORD_PORT: '0', HOLDWORD_GRPC_PORT: 'off' },
  });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await ended;
  });
  let printed = '';
  for await (const chunk of server.stdout) if (/is ready/.test((printed += String(chunk)))) break;
  expect(printed).toContain('Holdword demo agent is ready.');
});

test('what it writes for a container needs keys, and its command is one of this program', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const { stdout } = await folder.run('init', '--agent', 'demo', '--service', 'compose', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ files: ['holdword.config.json', 'compose.yaml'] });
  const compose = parse(await readFile(join(folder.path, 'compose.yaml'), 'utf8')) as {
    services: { holdword: { command: string[] } };
  };
  const [npx, yes, program, ...words] = compose.services.holdword.command;
  expect([npx, yes, program]).toEqual(['npx', '--yes', expect.stringMatching(/^@holdword\/cli@\d/)]);
  const server = folder.start(...words, '--port', '0', '--grpc-port', 'off');
  await server.printed(/authentication required/);
});

test.each([
  [['--agent', 'cloud-code'], 'Did you mean "claude-code"?'],
  [['--access', 'all'], '--access: expected local or keys, found "all".'],
  [['--service', 'cron'], '--service: expected none or systemd or compose, found "cron".'],
])('%j is refused', SLOW, async (words, message) => {
  const folder = await makeHoldwordFolder();
  const { code, errors } = await folder.run('init', ...words);
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(message) as string });
});
