import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReaderMachine } from '../../docs/reader-machine.ts';
import { runPage } from '../../docs/run-page.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

const PLUGIN = 'openclaw-a2a-outbound';
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'delegate-from-openclaw.md');

let model: ScriptedModel;
const homes: OpenClawHome[] = [];

beforeAll(async () => {
  model = await ScriptedModel.start();
});

afterAll(async () => {
  await model.close();
  for (const home of homes) await home.remove();
});

async function createHome(configuration: Readonly<Record<string, unknown>> = {}): Promise<OpenClawHome> {
  const home = await createOpenClawHome({ model, configuration });
  homes.push(home);
  return home;
}

test('the page installs the plugin from its tarball, inspects, audits and removes it', async ({
  onTestFinished,
}) => {
  const home = await createHome();
  // Makes npm fail instead of contacting a registry.
  const machine = await ReaderMachine.open({ ...home.environment, npm_config_offline: 'true' });
  onTestFinished(() => machine.close());
  await runPage(await readFile(PAGE, 'utf8'), machine);
  expect(await readdir(join(home.stateFolder, 'extensions'))).not.toContain(PLUGIN);
  const { plugins } = JSON.parse(await readFile(join(home.folder, 'openclaw.json'), 'utf8'));
  expect(plugins?.entries?.[PLUGIN]?.config).toBeUndefined();
});

test('an invalid configuration is reported field by field', async () => {
  const { folder } = await packedPlugin('openclaw-outbound');
  const config = {
    enabled: 'yes',
    targets: [{ alias: 'x' }, { alias: 'y', baseUrl: 'y.example' }],
    defaults: { timeoutMs: 0 },
    tragets: [],
  };
  const home = await createHome({
    plugins: { load: { paths: [folder] }, entries: { [PLUGIN]: { enabled: true, config } } },
  });
  const { code, stdout } = await runOpenClaw(home, 'config', 'validate', '--json');
  expect(code).toBe(1);
  const { issues }: { issues: { path: string; message: string }[] } = JSON.parse(stdout);
  const at = (path: string): string =>
    issues.find((issue) => issue.path === `plugins.entries.${PLUGIN}.config${path}`)?.message ?? '';
  expect(at('')).toContain('must not have additional properties: "tragets"');
  expect(at('.enabled')).toContain('must be boolean');
  expect(at('.defaults.timeoutMs')).toContain('must be >= 1');
  // The plugin says what is wrong with it, in a sentence.
  expect(at('.targets.1.baseUrl')).toBe('');
  expect(at('.targets.0.baseUrl')).toContain("must have required property 'baseUrl'");
});
