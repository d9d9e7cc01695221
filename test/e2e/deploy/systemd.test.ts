import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const UNIT = join(root, 'deploy', 'systemd', 'holdword.service');
/** Out of 10; what systemd itself calls OK ends at 2.5. */
const MOST_EXPOSURE = 2;

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
const version = Number(/systemd (\d+)/.exec(analyze('--version').stdout ?? '')?.[1] ?? 0);

test('the unit runs programs of a clone', async () => {
  const words = /^ExecStart=(.*)$/m.exec(await readFile(UNIT, 'utf8'))?.[1]?.split(' ') ?? [];
  const files = words.filter((word) => word.startsWith('/opt/holdword/'));
  expect(files).toHaveLength(2);
  for (const file of files) expect(existsSync(file.replace('/opt/holdword', root)), file).toBe(true);
});

test('commands on the page use the data of the unit', async () => {
  const page = await readFile(join(root, 'docs', 'guides', 'deploy', 'systemd.md'), 'utf8');
  const [command = ''] = /^sudo systemd-run (?:.*\\\n)*.*keys add.*$/m.exec(page) ?? [];
  const unit = await readFile(UNIT, 'utf8');
  const variables = [...unit.matchAll(/^Environment=(HOLDWORD_.*)$/gm)].map(([, variable = '']) => variable);
  expect(variables).toHaveLength(2);
  for (const variable of variables) expect(command).toContain(`--setenv=${variable}`);
  const [file = ''] = /^EnvironmentFile=.*$/m.exec(unit) ?? [];
  expect(command).toContain(`--property=${file} `);
  const [, start = ''] = /^ExecStart=(.*) serve$/m.exec(unit) ?? [];
  // Options that make a server faster are nothing for a command.
  const program = start.split(' ').filter((word) => !word.startsWith('--'));
  expect(command).toContain(`${program.join(' ')} keys add`);
  expect(command).toContain(`--uid=${/^User=(.*)$/m.exec(unit)?.[1] ?? ''} `);
});

describe.skipIf(version < 250)('systemd, if it is installed,', () => {
  test('accepts the unit', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const copy = join(folder.path, 'holdword.service');
    const unit = await readFile(UNIT, 'utf8');
    await writeFile(copy, unit.replaceAll('/opt/holdword', root));
    const { status, stderr } = analyze('verify', copy);
    expect([status, stderr.split('\n').filter((line) => line.includes('holdword.service'))]).toEqual([0, []]);
  });

  test('calls it well closed', () => {
    const { stdout } = analyze('security', '--offline=true', '--no-pager', UNIT);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    expect(exposure).toBeLessThanOrEqual(MOST_EXPOSURE);
  });
});
