import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { membersAt } from '../config/json5-members.ts';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';

// What the commands do with OpenClaw is tested with the real one, in test/openclaw/inbound/plugin-commands.test.ts.

test('without OpenClaw the commands say how to name it', async () => {
  const folder = await makeHoldwordFolder({ PATH: '/nowhere' });
  const { code, output } = await folder.run('openclaw', 'disable');
  expect(code).toBe(1);
  expect(output).toContain('openclaw cannot be run. Install OpenClaw, or name its command: --openclaw PATH');
});

test('a program that is not OpenClaw is reported', async () => {
  const folder = await makeHoldwordFolder();
  await mkdir(join(folder.path, 'bin'));
  const program = join(folder.path, 'bin', 'claw');
  await writeFile(program, '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const { code, output } = await folder.run('openclaw', 'enable', '--openclaw', program);
  expect(code).toBe(1);
  expect(output).toContain('OpenClaw did not say where its configuration is.');
});

test('a configuration that cannot be read is left alone', async () => {
  const folder = await makeHoldwordFolder();
  const config = join(folder.path, 'openclaw.json');
  await writeFile(config, '{ channels: { a2a: { accounts: ');
  const program = join(folder.path, 'claw');
  await writeFile(program, `#!/bin/sh\necho '{"path":"${config}"}'\n`, { mode: 0o755 });
  const { code, output } = await folder.run('openclaw', 'disable', '--openclaw', program);
  expect(code).toBe(1);
  expect(output).toContain('is not valid JSON5: it ends in the middle of an object. Fix it, then try again.');
});

test('the settings of the bundled channel stay, and the accounts are kept next to the configuration', async () => {
  const folder = await makeHoldwordFolder();
  const config = join(folder.path, 'openclaw.json');
  const accounts = "{ front: { publicBaseUrl: 'https://agents.example.com' /* ours */ } }";
  await writeFile(config, `{ channels: { a2a: { peers: {}, accounts: ${accounts} } } } // end\n`);
  const program = join(folder.path, 'claw');
  await writeFile(program, `#!/bin/sh\necho '{"path":"${config}"}'\n`, { mode: 0o755 });
  const { code, output } = await folder.run('openclaw', 'disable', '--openclaw', program);
  expect(code).toBe(0);
  expect(output).toContain(`The accounts are kept in ${config}.a2a.json5`);
  expect(await readFile(`${config}.a2a.json5`, 'utf8')).toBe(
    `{ channels: { a2a: { accounts: ${accounts} } } }\n`,
  );
  const repeated = await folder.run('openclaw', 'disable', '--openclaw', program);
  expect(repeated.output).toContain(`The accounts are kept in ${config}.a2a.json5`);
  const after = await readFile(config, 'utf8');
  expect(membersAt(after, ['channels', 'a2a'])?.map(({ name }) => name)).toEqual(['peers']);
  expect(after).toContain('// end');
});

test('a switch that makes OpenClaw refuse the accounts does not come back with them', async () => {
  const folder = await makeHoldwordFolder();
  const config = join(folder.path, 'openclaw.json');
  await writeFile(config, '{ channels: { a2a: { enabled: false, accounts: { front: {} } } } }\n');
  const program = join(folder.path, 'claw');
  await writeFile(program, `#!/bin/sh\necho '{"path":"${config}"}'\n`, { mode: 0o755 });
  const refused = await folder.run('openclaw', 'enable', '--openclaw', program);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain(`channels.a2a.enabled is false in ${config}`);

  expect(await folder.run('openclaw', 'disable', '--openclaw', program)).toMatchObject({ code: 0 });
  expect(await readFile(`${config}.a2a.json5`, 'utf8')).toBe(
    '{ channels: { a2a: { accounts: { front: {} } } } }\n',
  );
  const again = await folder.run('openclaw', 'enable', '--openclaw', program);
  expect(again.output).toContain('Put channels.a2a.accounts back');
  expect(again.code).toBe(0);
});

test('a switch in the accounts that were moved is named', async () => {
  const folder = await makeHoldwordFolder();
  const config = join(folder.path, 'openclaw.json');
  await writeFile(config, '{}\n');
  await writeFile(`${config}.a2a.json5`, '{ channels: { a2a: { enabled: false, accounts: {} } } }\n');
  const program = join(folder.path, 'claw');
  await writeFile(program, `#!/bin/sh\necho '{"path":"${config}"}'\n`, { mode: 0o755 });
  const { code, output } = await folder.run('openclaw', 'enable', '--openclaw', program);
  expect(code).toBe(1);
  expect(output).toContain(`channels.a2a.enabled is false in ${config}.a2a.json5`);
});
