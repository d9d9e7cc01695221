import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

const SLOW = { timeout: 120_000 };

function bearer(token: unknown) {
  return { type: 'bearer', token };
}

test('peers of the bundled channel and targets of the plugin become agents with names', SLOW, async () => {
  const home = await makeHoldwordFolder();
  const key = (await home.run('keys', 'add', 'openclaw')).stdout.trim();
  const agent = new URL(await urlOf(home.serve())).origin;
  const environment = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'config'), WORK_KEY: key };
  const folder = await makeHoldwordFolder(environment);
  await mkdir(join(home.path, '.openclaw'));
  await writeFile(join(home.path, 'key'), key);
  const config = {
    channels: {
      a2a: { peers: { ada: { token: 'in', url: agent, outboundToken: key }, bob: { token: 'calls only' } } },
    },
    plugins: {
      entries: {
        'openclaw-a2a-outbound': {
          config: {
            targets: [
              { alias: 'work', baseUrl: agent, auth: bearer('${WORK_KEY}') },
              { alias: 'Support Desk', baseUrl: agent, auth: bearer({ file: join(home.path, 'key') }) },
              { alias: 'ada', baseUrl: agent },
            ],
          },
        },
      },
    },
  };
  await writeFile(join(home.path, '.openclaw', 'openclaw.json'), `// Ours\n${JSON.stringify(config)}\n`);
  const imported = await folder.run('import', '--json');
  expect(JSON.parse(imported.stdout)).toEqual({
    agents: [
      { name: 'ada', url: agent, imported: true },
      { name: 'work', url: agent, imported: true },
      { name: 'support-desk', url: agent, imported: true },
      { name: 'ada', url: agent, imported: false, why: 'the name exists' },
    ],
  });
  for (const name of ['ada', 'work', 'support-desk']) {
    expect((await folder.run('send', '-a', name, 'echo hi')).output).toContain('TASK_STATE_COMPLETED');
  }
  const settings = join(home.path, 'config', 'holdword');
  expect(await readFile(join(settings, 'environments.json'), 'utf8')).not.toContain(key);
  expect((await stat(join(settings, 'keys', 'ada'))).mode & 0o777).toBe(0o600);
  expect((await folder.run('import')).output).not.toContain('imported');
});

test('a configuration that is not there is an error that says what to do', SLOW, async () => {
  const folder = await makeHoldwordFolder({ HOME: '/nowhere' });
  const { code, errors } = await folder.run('import', '--from', 'none.json');
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('--from FILE') as string });
});
