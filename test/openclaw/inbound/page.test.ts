import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ReaderMachine } from '../../docs/reader-machine.ts';
import { runPage } from '../../docs/run-page.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome } from '../harness/openclaw-home.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'serve-openclaw-as-a-channel.md');

test('the page installs the plugin into a running gateway, lets a peer in and checks the network', async () => {
  const model = await ScriptedModel.start();
  const home = await createOpenClawHome({ model });
  const gateway = await startGateway(home);
  const machine = await ReaderMachine.open(home.environment);
  onTestFinished(async () => {
    await machine.close();
    await gateway.kill();
    await model.close();
    await home.remove();
  });
  model.when('Say hello.', (answer) => answer.text('Hello!'));
  model.when('Count to three.', (answer) => answer.text('One, two, three.'));
  model.when('Write a novel.', (answer) => answer.hang());
  const page = await readFile(PAGE, 'utf8');
  const { port } = new URL(home.gatewayUrl);
  await runPage(page.replaceAll('18789', port).replaceAll('/home/you/.openclaw', home.folder), machine);
  expect(model.requestsWith('Say hello.').map(({ tools }) => tools)).toEqual([[], []]);
  expect(model.requestsWith('Write a novel.').every(({ abandoned }) => abandoned)).toBe(true);
});
