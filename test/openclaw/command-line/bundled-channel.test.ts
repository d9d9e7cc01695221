import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../../e2e/doctor/examine.ts';
import { makePerson, personIn } from '../../e2e/pairing/person.ts';
import { awaitCard } from '../harness/await-card.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome } from '../harness/openclaw-home.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { warmUp } from '../harness/warm-up.ts';

const TOKEN = 'token-of-the-bundled-channel';

test('peers of the bundled channel are imported and called, the channel is called, and the doctor names it', async () => {
  const ada = await makePerson('Ada');
  const key = (await ada.run('keys', 'add', 'openclaw')).stdout.trim();
  const server = await ada.serve();
  const [, origin = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(server.output()) ?? [];
  const model = await ScriptedModel.start();
  // As OpenClaw calls them: at the endpoint, without a card.
  const ofAda = { token: 'unused', url: `${origin}/a2a/jsonrpc`, outboundToken: key };
  const home = await createOpenClawHome({
    model,
    configuration: ({ gatewayPort }) => {
      const ofItself = `http://127.0.0.1:${gatewayPort}/a2a/v1`;
      const peers = {
        ada: ofAda,
        bob: { token: 'calls only' },
        itself: { token: TOKEN, url: ofItself, outboundToken: TOKEN },
      };
      return { channels: { a2a: { enabled: true, peers } } };
    },
  });
  const gateway = await startGateway(home);
  onTestFinished(async () => {
    await gateway.kill();
    await model.close();
    await home.remove();
  });
  const url = home.gatewayUrl.replace(/^ws/, 'http');
  await awaitCard(url);

  const operator = personIn(home.folder, {
    ...home.environment,
    XDG_CONFIG_HOME: join(home.folder, 'config'),
  });
  const imported = await operator.run('import', '--json');
  expect(JSON.parse(imported.stdout)).toEqual({
    agents: [
      { name: 'ada', url: ofAda.url, imported: true },
      { name: 'itself', url: `${url}/a2a/v1`, imported: true },
    ],
  });
  expect((await operator.run('send', '-a', 'ada', 'echo hello')).output).toContain('Text: hello');

  // Its card does not tell that it takes a key.
  model.when('from outside', (answer) => answer.text('Hello, you.'));
  await warmUp(home);
  const sent = await operator.run('send', '-a', 'itself', 'hello from outside');
  expect(sent.output).toMatch(/^State: TASK_STATE_COMPLETED\n[^]*Hello, you\./m);

  const { complaints } = await examine({
    cwd: home.folder,
    environment: home.environment,
    words: ['--port', '0', '--grpc-port', 'off', '--data', join(home.folder, 'holdword')],
  });
  expect(complaints).toEqual([
    expect.objectContaining({
      check: 'openclaw-bundled-channel',
      side: 'OpenClaw',
      fix: expect.stringContaining('holdword openclaw install') as string,
    }),
  ]);
});
