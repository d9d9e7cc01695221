import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePerson, personIn, type Person } from '../../e2e/pairing/person.ts';
import { freePort } from '../../support/free-port.ts';
import { GatewayChat } from '../harness/gateway-chat.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { callInTurn } from '../outbound/call-in-turn.ts';
import { startPlugins, type PluginsGateway } from './start-plugins.ts';

let stage: PluginsGateway;

beforeAll(async () => {
  // Nobody may call yet: the account starts with its first peer.
  stage = await startPlugins({ auth: { required: true } });
});

afterAll(() => stage.close());

/** Whoever runs OpenClaw. */
const operator = (): Person => personIn(stage.home.folder, stage.home.environment);

interface Config {
  readonly channels: {
    readonly a2a: { readonly accounts: { readonly default: { readonly auth: { peers?: object } } } };
  };
  readonly plugins: { readonly entries: Readonly<Record<string, { config?: { targets?: object[] } }>> };
}

const configText = (): Promise<string> => readFile(join(stage.home.folder, 'openclaw.json'), 'utf8');

/** The peers that may call OpenClaw, and the agents that it may call. */
async function connections(): Promise<{ peers: string[]; targets: object[] }> {
  const { channels, plugins } = JSON.parse(await configText()) as Config;
  return {
    peers: Object.keys(channels.a2a.accounts.default.auth.peers ?? {}),
    targets: plugins.entries['openclaw-a2a-outbound']?.config?.targets ?? [],
  };
}

async function stateOfAnswer(person: Person, words: string): Promise<unknown> {
  const { output } = await person.run('send', '-a', 'claw', words);
  return /^State: (\w+)$/m.exec(output)?.[1] ?? output;
}

test('a server and OpenClaw are connected, and each calls the other', async () => {
  const ada = await makePerson('Ada');
  await ada.serve();
  await ada.run('keys', 'add', 'operator');
  const { offer, invitation } = await ada.pair();
  const joined = await operator().run('join', invitation, '--openclaw');
  expect(joined.output).toContain(
    'The agent of OpenClaw can call it now, as the target "ada" of the tool remote_agent.',
  );
  expect(joined.code).toBe(0);
  expect(await offer.ended).toBe(0);
  expect(offer.stdout()).toContain('Connected with claw.');

  // From the server to OpenClaw: a peer of its own, without tools, by a key that OpenClaw does not keep.
  stage.model.when('from ada', (answer, { tools }) => answer.text(`Tools: ${tools.join() || 'none'}.`));
  expect(await stateOfAnswer(ada, 'hello from ada')).toBe('TASK_STATE_COMPLETED');
  expect(stage.model.requestsWith('from ada')[0]?.tools).toEqual([]);
  const key = (await readFile(join(ada.folder, 'config', 'holdword', 'keys', 'claw'), 'utf8')).trim();
  expect(await configText()).not.toContain(key);

  // From the model of OpenClaw to the server, by a key in a file of this user alone.
  const file = join(stage.home.folder, 'a2a-keys', 'ada');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await configText()).not.toContain((await readFile(file, 'utf8')).trim());
  const { peers, targets } = await connections();
  expect(targets).toEqual([expect.objectContaining({ alias: 'ada' })]);
  expect(peers).toHaveLength(1);
  const chat = await GatewayChat.open(stage.home);
  const results = await callInTurn(
    { model: stage.model, chat },
    { action: 'send', target_alias: 'ada', parts: [{ kind: 'text', text: 'echo over there' }] },
  );
  chat.close();
  expect(results[0]).toMatchObject({
    ok: true,
    summary: { message_text: expect.stringContaining('over there') as string },
  });
});

test('OpenClaw offers, a wrong code is refused and leaves no peer, and the right one works once', async () => {
  const before = await connections();
  const bob = await makePerson('Bob');
  const { offer, invitation } = await operator().pair('--openclaw', '--name', 'claw');
  const wrong = invitation.replace(/^[^@]+/, (code) => (code === '0000-0000' ? '1111-1111' : '0000-0000'));
  const refused = await bob.run('join', wrong);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('The code is wrong.');
  expect(await connections()).toEqual(before);

  // Bob serves no agent: he only calls.
  const joined = await bob.run('join', invitation, '--name', 'bob');
  expect(joined.output).toContain('Connected with claw.');
  expect(await offer.ended).toBe(0);
  expect(await connections()).toEqual({ ...before, peers: [...before.peers, 'bob'] });
  stage.model.when('from bob', (answer) => answer.text('Hello, Bob.'));
  expect(await stateOfAnswer(bob, 'hello from bob')).toBe('TASK_STATE_COMPLETED');
  expect((await bob.run('join', invitation)).output).toContain('Nobody offers to pair at');

  // The key can be taken back as the command said.
  const [, path = ''] = /openclaw config unset (\S+)/.exec(offer.stdout()) ?? [];
  expect((await runOpenClaw(stage.home, 'config', 'unset', path)).code).toBe(0);
  await expect.poll(async () => (await bob.run('send', '-a', 'claw', 'hi')).code).toBe(4);
});

test('if the other side cannot be called, OpenClaw keeps nothing', async () => {
  const before = await connections();
  const eve = await makePerson('Eve');
  // The card names an address that leads nowhere.
  await eve.serve('--public-url', `http://127.0.0.1:${await freePort()}`);
  const { offer, invitation } = await eve.pair();
  const joined = await operator().run('join', invitation, '--openclaw');
  expect(joined.code).toBe(1);
  expect(joined.output).toContain('Not connected with eve; nothing was kept.');
  expect(await offer.ended).toBe(1);
  expect(await connections()).toEqual(before);
  expect((await eve.run('keys', 'list', '--json')).stdout).toContain('"keys": []');
});
