import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SLOW = { timeout: 180_000 };

/** A person with a folder of their own, who may serve an agent from it. */
async function makePerson(name: string) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const port = String(await freePort());
  const environment = {
    HOME: folder.path,
    XDG_CONFIG_HOME: join(folder.path, 'config'),
    HOLDWORD_PORT: port,
  };
  const start = (...words: string[]): HoldwordProcess => {
    const holdword = new HoldwordProcess(words, { cwd: folder.path, environment });
    onTestFinished(() => holdword.kill());
    return holdword;
  };
  const run = async (...words: string[]) => {
    const holdword = start(...words);
    const code = await holdword.ended;
    return { code, output: holdword.output(), stdout: holdword.stdout() };
  };
  const serve = async (...words: string[]): Promise<HoldwordProcess> => {
    const server = start('serve', '--grpc-port', 'off', '--card-name', name, ...words);
    await server.printed(/Ctrl-C/);
    return server;
  };
  /** Offers to pair. Resolves with what the other side types. */
  const pair = async (
    ...words: string[]
  ): Promise<{ offer: HoldwordProcess; invitation: string; link: string }> => {
    const offer = start('pair', ...words);
    const [, invitation = ''] = await offer.printed(/holdword join (\S+)/);
    const [, link = ''] = await offer.printed(/link: (\S+)/);
    return { offer, invitation, link };
  };
  return { folder: folder.path, run, serve, pair };
}

type Person = Awaited<ReturnType<typeof makePerson>>;

async function keysOf(person: Person): Promise<string[]> {
  const { keys } = JSON.parse((await person.run('keys', 'list', '--json')).stdout) as {
    keys: { name: string; role: string }[];
  };
  expect(keys.every(({ role }) => role === 'caller')).toBe(true);
  return keys.map(({ name }) => name);
}

test('two servers are connected, and call each other with keys of their own', SLOW, async () => {
  const [ada, bob] = [await makePerson('Ada'), await makePerson('Bob')];
  await ada.run('keys', 'add', 'operator');
  const server = await ada.serve();
  await bob.serve();
  const { offer, link } = await ada.pair();
  const joined = await bob.run('join', link);
  expect(joined.output).toContain('Connected with ada.\nCall it with: holdword send -a ada "hello"\n');
  expect(joined.code).toBe(0);
  expect(await offer.ended).toBe(0);
  expect(offer.stdout()).toContain('Connected with bob.');

  expect(await keysOf(ada)).toEqual(['operator', 'bob']);
  for (const [caller, name] of [
    [bob, 'ada'],
    [ada, 'bob'],
  ] as const) {
    const sent = await caller.run('send', '-a', name, 'echo hello');
    expect(sent.output).toContain('State: TASK_STATE_COMPLETED');
    const file = join(caller.folder, 'config', 'holdword', 'keys', name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const environments = await readFile(
      join(caller.folder, 'config', 'holdword', 'environments.json'),
      'utf8',
    );
    expect(environments).not.toContain((await readFile(file, 'utf8')).trim());
  }
  // The key is the only way in, and it can be taken back.
  expect(server.output()).toContain('authentication required');
  await ada.run('keys', 'revoke', 'bob');
  await expect.poll(async () => (await bob.run('send', '-a', 'ada', 'hi')).code, { timeout: 60_000 }).toBe(4);
});

test(
  'a wrong code is refused and told, and leaves no key; the right one still works, once',
  SLOW,
  async () => {
    const [ada, bob] = [await makePerson('Ada'), await makePerson('Bob')];
    await ada.serve();
    const { offer, invitation } = await ada.pair();
    const wrong = invitation.replace(/^[^@]+/, (code) => (code === '0000-0000' ? '1111-1111' : '0000-0000'));
    const refused = await bob.run('join', wrong);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('The code is wrong.');
    await offer.printed(/Somebody tried a wrong code/);
    // Bob serves no agent: he only calls.
    const joined = await bob.run('join', invitation, '--json');
    expect(JSON.parse(joined.stdout)).toMatchObject({ connected: true, name: 'ada' });
    expect(await offer.ended).toBe(0);
    expect(await keysOf(ada)).toHaveLength(1);
    const again = await bob.run('join', invitation);
    expect(again.code).toBe(1);
    expect(again.output).toContain('Nobody offers to pair at');
  },
);

test('if one side cannot be called, nothing is kept on both', SLOW, async () => {
  const [ada, bob] = [await makePerson('Ada'), await makePerson('Bob')];
  await ada.serve();
  // Bob's card names an address that leads nowhere.
  await bob.serve('--public-url', `http://127.0.0.1:${await freePort()}`);
  const { offer, invitation } = await ada.pair();
  const joined = await bob.run('join', invitation);
  expect(joined.code).toBe(1);
  expect(joined.output).toContain('Not connected with ada; nothing was kept. bob cannot be called');
  expect(await offer.ended).toBe(1);
  for (const person of [ada, bob]) {
    expect(await keysOf(person)).toEqual([]);
    expect((await person.run('env', 'list')).stdout).toBe('');
  }
});
