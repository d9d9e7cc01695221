import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../../e2e/doctor/examine.ts';
import { makePerson, personIn } from '../../e2e/pairing/person.ts';
import { awaitCard } from '../harness/await-card.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome } from '../harness/openclaw-home.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { warmUp } from '../harness/warm-up.ts';

const BOB = 'token-with-which-bob-calls';

test('peers of the bundled channel are imported and called, the channel is called, and the doctor names it', async () => {
  const ada = await makePerson('Ada');
  const key = (await ada.run('keys', 'add', 'openclaw')).stdout.trim();
  const server = await ada.serve();
  const [, origin = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(server.output()) ?? [];
  const model = await ScriptedModel.start();
  const peers = {
    // As OpenClaw calls it: at the endpoint, without a card.
    ada: { token: 'unused', url: `${origin}/a2a/jsonrpc`, outboundToken: key },
    bob: { token: BOB },
  };
  const home = await createOpenClawHome({
    model,
    configuration: { channels: { a2a: { enabled: true, peers } } },
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
    agents: [{ name: 'ada', url: peers.ada.url, imported: true }],
  });
  expect((await operator.run('send', '-a', 'ada', 'echo hello')).output).toContain('Text: hello');

  model.when('from bob', (answer) => answer.text('Hello, Bob.'));
  await warmUp(home);
  const sent = await operator.run('send', '-a', url, '--bearer', BOB, 'hello from bob');
  expect(sent.output).toMatch(/^State: TASK_STATE_COMPLETED\n[^]*Hello, Bob\./m);

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
