import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runPage } from '../../docs/run-page.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome } from '../harness/openclaw-home.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'serve-openclaw-as-a-channel.md');

test('the page installs the plugin into a gateway that runs, lets a peer in and checks the network', async () => {
  const model = await ScriptedModel.start();
  const home = await createOpenClawHome({ model });
  const gateway = await startGateway(home);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await gateway.kill();
    await model.close();
    await home.remove();
  });
  model.when('Say hello.', (answer) => answer.text('Hello!'));
  for (const [name, value] of Object.entries(home.environment)) vi.stubEnv(name, value);
  const page = await readFile(PAGE, 'utf8');
  const { port } = new URL(home.gatewayUrl);
  await runPage(page.replaceAll('18789', port).replaceAll('/var/lib/openclaw', home.folder));
  expect(model.requestsWith('Say hello.')[0]?.tools).toEqual(['read']);
});
