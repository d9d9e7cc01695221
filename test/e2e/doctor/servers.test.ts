import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HoldwordProcess } from '@holdword/cli/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { examine, makeHome, type Setting } from './examine.ts';

const SLOW = { timeout: 120_000 };
/** Ports of other programs on this machine are not the subject. */
const PORTS = ['--port', '0', '--grpc-port', 'off'];

async function inFolder(prepare: (folder: string) => Promise<void>, ...words: string[]): Promise<Setting> {
  const cwd = await makeHome();
  await prepare(cwd);
  return { cwd, words: [...PORTS, ...words] };
}

const configured = (config: object | string): Promise<Setting> =>
  inFolder((folder) =>
    writeFile(
      join(folder, 'holdword.config.json'),
      typeof config === 'string' ? config : JSON.stringify(config),
    ),
  );

/** Data as a server leaves it. */
async function makeData(folder: string, ...words: string[]): Promise<void> {
  const added = new HoldwordProcess(['keys', 'add', 'ada', ...words], { cwd: folder });
  if ((await added.ended) !== 0) throw new Error(added.output());
}

async function occupiedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** A set-up that is broken in one way: how it is built, the check that has to name it, and a part of what mends it. */
type Case = readonly [name: string, build: () => Promise<Setting>, check: string, fix: RegExp];

const CASES: readonly Case[] = [
  ['a configuration that is no JSON', () => configured('{'), 'config', /holdword config check/],
  ['a setting that does not exist', () => configured({ prot: 4310 }), 'config', /holdword config check/],
  [
    'an agent that does not exist',
    () => configured({ agent: 'clade-code' }),
    'config',
    /holdword config check/,
  ],
  [
    'a module that does not exist',
    () => configured({ agent: './nowhere.ts' }),
    'config',
    /holdword config check/,
  ],
  ['a public address without keys', () => configured({ host: '0.0.0.0' }), 'config', /holdword config check/],
  [
    'a misspelled variable',
    async () => ({ ...(await inFolder(async () => {})), environment: { HOLDWORD_PROT: '1' } }),
    'variables',
    /config show/,
  ],
  [
    'a data folder that is a file',
    () => inFolder((folder) => writeFile(join(folder, '.holdword'), '')),
    'data-folder',
    /--data DIR/,
  ],
  [
    'data that others can open',
    () =>
      inFolder(async (folder) => {
        await makeData(folder);
        await chmod(join(folder, '.holdword'), 0o755);
      }),
    'permissions',
    /chmod -R go-rwx/,
  ],
  [
    'a disk with too little space',
    () => configured({ minimumFreeBytes: Number.MAX_SAFE_INTEGER }),
    'disk',
    /Free some space/,
  ],
  [
    'data of a newer version',
    () =>
      inFolder(async (folder) => {
        await makeData(folder);
        using database = new DatabaseSync(join(folder, '.holdword', 'holdword.db'));
        database.exec('PRAGMA user_version = 9999');
      }),
    'database',
    /npm install/,
  ],
  [
    'a database that is damaged',
    () =>
      inFolder(async (folder) => {
        await mkdir(join(folder, '.holdword'), { mode: 0o700 });
        await writeFile(
          join(folder, '.holdword', 'holdword.db'),
          'this is no database, but a text of some length'.repeat(100),
        );
      }),
    'database',
    /backup/,
  ],
  [
    'a database server that does not run',
    async () => ({
      ...(await inFolder(async () => {})),
      environment: { HOLDWORD_STORE: `postgres://127.0.0.1:${await freePort()}/holdword` },
    }),
    'database',
    /HOLDWORD_STORE/,
  ],
  [
    'a port of another program',
    async () => ({ words: ['--port', String(await occupiedPort()), '--grpc-port', 'off'] }),
    'port',
    /--port N/,
  ],
  [
    'a gRPC port of another program',
    async () => ({ words: ['--port', '0', '--grpc-port', String(await occupiedPort())] }),
    'grpc-port',
    /--grpc-port N/,
  ],
  [
    'an address of another machine',
    async () => ({
      words: ['--host', '127.0.0.1', '--port', '1', '--grpc-port', 'off', '--host', '192.0.2.1'],
    }),
    'config',
    /holdword config check/,
  ],
];

test.each(CASES)('%s', SLOW, async (_name, build, check, fix) => {
  const { complaints } = await examine(await build());
  expect(complaints).toEqual([
    expect.objectContaining({ check, side: 'this machine', fix: expect.stringMatching(fix) as string }),
  ]);
});

test('an API key that has expired', SLOW, async () => {
  const setting = await inFolder((folder) => makeData(folder, '--expires', '1s'));
  await vi.waitFor(
    async () => {
      const { complaints } = await examine(setting);
      expect(complaints).toEqual([
        expect.objectContaining({ check: 'keys', fix: 'holdword keys rotate ada' }),
      ]);
    },
    { timeout: 60_000 },
  );
});

test('a new folder, a used one and one with a running server are not complained about', SLOW, async () => {
  expect(await examine({ words: PORTS })).toMatchObject({ code: 0, complaints: [] });
  const setting = await inFolder(makeData);
  expect(await examine(setting)).toMatchObject({ code: 0, complaints: [] });
  const port = String(await freePort());
  const server = new HoldwordProcess(['serve', '--port', port, '--grpc-port', 'off'], {
    cwd: setting.cwd ?? '',
  });
  onTestFinished(() => server.kill());
  await server.printed(/Ctrl-C/);
  const running = await examine({ ...setting, words: ['--port', port, '--grpc-port', 'off'] });
  expect(running).toMatchObject({ code: 0, complaints: [] });
});

test('people read what is wrong, on which side, and what mends it', SLOW, async () => {
  const port = String(await occupiedPort());
  const cwd = await makeHome();
  const doctor = new HoldwordProcess(['doctor', '--port', port, '--grpc-port', 'off'], {
    cwd,
    environment: { HOME: cwd },
  });
  expect(await doctor.ended).toBe(1);
  expect(doctor.stdout()).toContain(
    `problem  port: Port ${port} is used by another program.\n         side: this machine\n         fix: Stop that program`,
  );
  expect(doctor.stdout()).toMatch(/\n1 problem\.\n$/);
});
