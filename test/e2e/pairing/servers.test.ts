import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { makePerson, type Person } from './person.ts';

const SLOW = { timeout: 180_000 };

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
