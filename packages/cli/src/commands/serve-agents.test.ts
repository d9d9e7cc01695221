import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FAKE_OPENCLAW } from '@holdword/runtime/testing/adapter';
import { livingProcesses, recordedMarks } from '@holdword/runtime/testing/child-process';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

async function folderWith(config: object): Promise<HoldwordFolder> {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  return folder;
}

test('a command is served with exec', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--agent', 'exec:/bin/echo so: {prompt}');
  const task = await taskOf(await send(await urlOf(holdword), 'hello'));
  expect(task.status.message?.parts).toEqual([{ text: 'so: hello' }]);
  expect(holdword.output()).toMatch(/^echo is ready\.\n\n +agent +exec\n/);
  expect(holdword.output()).toContain('"parts":[{"text":"hello"}]');
});

test('OpenClaw is served with its options, and the start names the transport', async () => {
  const openclaw = { openclawPath: FAKE_OPENCLAW, thinking: 'off' };
  const folder = await folderWith({ agent: 'openclaw', agentOptions: { openclaw } });
  const holdword = folder.serve();
  const task = await taskOf(await send(await urlOf(holdword), 'hello'));
  expect(task.status.message?.parts).toEqual([{ text: 'You said: hello' }]);
  expect(holdword.output()).toMatch(/agent +openclaw \(via command line\)\n/);
});

test('a relative working directory is relative to the configuration file', async () => {
  const folder = await folderWith({ agentOptions: { exec: { workingDirectory: '.' } } });
  const task = await taskOf(await send(await urlOf(folder.serve('--agent', 'exec:/bin/pwd')), 'where?'));
  expect(task.status.message?.parts).toEqual([{ text: folder.path }]);
});

test('the next start ends processes that a crash left running, whichever agent it serves', async () => {
  const folder = await makeHoldwordFolder();
  const first = folder.serve('--agent', 'exec:/bin/sleep {prompt}');
  const { id } = await taskOf(await send(await urlOf(first), '600', { immediately: true }));
  const processes = join(folder.path, '.holdword', 'processes');
  await expect.poll(async () => livingProcesses(await recordedMarks(processes))).not.toEqual([]);
  const marks = await recordedMarks(processes);
  await first.kill();
  const url = await urlOf(folder.serve());
  expect(await livingProcesses(marks)).toEqual([]);
  await expect.poll(async () => (await getTask(url, id)).status.state).toBe('TASK_STATE_FAILED');
});

test('options that an agent does not have are rejected with their position', async () => {
  const folder = await folderWith({ agentOptions: { openclaw: { thinkin: 'off' } } });
  expect(await folder.run('serve')).toMatchObject({
    code: 2,
    output: 'holdword: holdword.config.json:1:30: unknown key "thinkin"; did you mean "thinking"?\n',
  });
});

test('a missing option is a usage error', async () => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('serve', '--agent', 'openai', '--port', '0');
  expect(code).toBe(2);
  expect(output).toContain(
    'Agent openai needs the option model: write openai:"MODEL", or set the option (agentOptions.openai.model',
  );
});

test('a missing option is set in the file that was named', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'cfg.json'), '{"agent":"exec"}');
  for (const command of ['serve', 'config check']) {
    const { code, output } = await folder.run(...command.split(' '), '--config', 'cfg.json');
    expect(output).toContain('or set the option (agentOptions.exec.command in cfg.json).');
    expect(code).toBe(2);
  }
});

test.each([
  [
    'exec:no-such-program',
    'The program \\"no-such-program\\" was not found. Install it, or configure its path.',
  ],
  ['acp:./no-such-agent --acp', 'The program \\"./no-such-agent\\" was not found.'],
  ['claude-code', 'The program \\"claude\\" was not found.'],
  ['openclaw-cli', 'The program \\"openclaw\\" was not found.'],
  ['openai:gpt-5', 'The environment variable OPENAI_API_KEY for the API key is not set.'],
])('%s that cannot work is a warning at the start, and not ready', async (agent, problem) => {
  const folder = await makeHoldwordFolder({ PATH: '/nowhere' });
  const holdword = folder.serve('--agent', agent);
  const url = await urlOf(holdword);
  expect(holdword.output()).toContain(`"level":"warn"`);
  expect(holdword.output()).toContain(`Tasks will fail: ${problem}`);
  const ready = await fetch(new URL('/readyz', url));
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({
    checks: { agent: { ok: false, detail: 'the agent cannot work; the log says why' } },
  });
});

test('a program that is installed later makes the server ready, and its turns are logged once', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--agent', 'exec:./tool');
  const url = await urlOf(holdword);
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await taskOf(await send(url, 'hello'))).status.state).toBe('TASK_STATE_FAILED');
  }
  await writeFile(join(folder.path, 'tool'), '#!/bin/sh\necho done\n', { mode: 0o755 });
  expect((await taskOf(await send(url, 'hello'))).status.state).toBe('TASK_STATE_COMPLETED');
  expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  expect(holdword.output().match(/The program of the agent could not be started/g)).toHaveLength(1);
  expect(holdword.output()).toContain('The program of the agent can be started again.');
});
