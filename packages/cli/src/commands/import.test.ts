import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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

test(
  'a peer is called at its endpoint, with the card that it publishes or one made for it',
  SLOW,
  async () => {
    const home = await makeHoldwordFolder();
    const agent = new URL(await urlOf(home.serve())).origin;
    const bodies: string[] = [];
    const bare = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(404).end();
        const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
        response.setHeader('content-type', 'application/json');
        const { id } = JSON.parse(bodies.at(-1) ?? '') as { id: unknown };
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { task } }));
      });
    });
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void bare.close());
    const { port } = bare.address() as AddressInfo;
    const peers = {
      published: { token: 'in', url: `${agent}/a2a/jsonrpc` },
      bare: { token: 'in', url: `http://127.0.0.1:${port}/a2a/v1`, outboundToken: 'out' },
    };
    const settings = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'config') };
    const folder = await makeHoldwordFolder(settings);
    await mkdir(join(home.path, '.openclaw'));
    await writeFile(
      join(home.path, '.openclaw', 'openclaw.json'),
      JSON.stringify({ channels: { a2a: { peers } } }),
    );
    expect((await folder.run('import')).code).toBe(0);
    const environments = JSON.parse(
      await readFile(join(home.path, 'config', 'holdword', 'environments.json'), 'utf8'),
    ) as Record<string, { url: string }>;
    expect(environments['published']?.url).toBe(agent);
    for (const name of Object.keys(peers)) {
      const sent = await folder.run('send', '-a', name, 'echo hi');
      expect(sent.output).toContain('TASK_STATE_COMPLETED');
    }
    expect(bodies.at(-1)).toContain('echo hi');
  },
);

test('a configuration that is not there is an error that says what to do', SLOW, async () => {
  const folder = await makeHoldwordFolder({ HOME: '/nowhere' });
  const { code, errors } = await folder.run('import', '--from', 'none.json');
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('--from FILE') as string });
});
