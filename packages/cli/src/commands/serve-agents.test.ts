import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FAKE_OPENCLAW, NO_GATEWAY } from '@holdword/runtime/testing/adapter';
import { livingProcesses, recordedMarks } from '@holdword/runtime/testing/child-process';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

async function folderWith(config: object): Promise<HoldwordFolder> {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  return folder;
}

test('any command is served by its name and its words', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--agent', 'exec:/bin/echo so: {prompt}');
  const task = await taskOf(await send(await urlOf(holdword), 'hello'));
  expect(task.status.message?.parts).toEqual([{ text: 'so: hello' }]);
  expect(holdword.output()).toMatch(/^\/bin\/echo is ready\.\n\n +agent +exec\n/);
});

test('OpenClaw is served as its section of the configuration says, and the start says which way', async () => {
  const openclaw = { openclawPath: FAKE_OPENCLAW, gateway: NO_GATEWAY, thinking: 'off' };
  const folder = await folderWith({ agent: 'openclaw', agentOptions: { openclaw } });
  const holdword = folder.serve();
  const task = await taskOf(await send(await urlOf(holdword), 'hello'));
  expect(task.status.message?.parts).toEqual([{ text: 'You said: hello' }]);
  expect(holdword.output()).toMatch(/agent +openclaw \(via command line\)\n/);
});

test('a relative working directory is meant from the file that names it', async () => {
  const folder = await folderWith({ agentOptions: { exec: { workingDirectory: '.' } } });
  const task = await taskOf(await send(await urlOf(folder.serve('--agent', 'exec:/bin/pwd')), 'where?'));
  expect(task.status.message?.parts).toEqual([{ text: folder.path }]);
});

test('the next start ends what a crash left running, whatever agent it serves', async () => {
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
  expect(await folder.run('serve')).toEqual({
    code: 2,
    output: 'holdword: holdword.config.json:1:30: unknown key "thinkin"; did you mean "thinking"?\n',
  });
});

test('an option that is missing is named', async () => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('serve', '--agent', 'openai', '--port', '0');
  expect(code).toBe(1);
  expect(output).toContain('The option model of the agent openai: expected a text, found nothing.');
});
