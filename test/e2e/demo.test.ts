import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, CLIENTS, VERSIONS, type Driver } from '../support/drivers/driver.ts';
import { openDriver } from '../support/drivers/open-driver.ts';
import { openDrivers, type Drivers } from '../support/drivers/open-drivers.ts';
import { spawnHoldword, type ServedHoldword } from '../support/spawn-holdword.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { allEvents, artifactTexts, outline, say, sayAndLeave, sendForTask, textOf } from './conversation.ts';

/** The built-in agent as users start it: one process, every feature with plain words. */
describe('holdword serve with the demo agent', () => {
  watchForLeaks();
  let folder: TemporaryFolder;
  let holdword: ServedHoldword;
  let drivers: Drivers;
  beforeAll(async () => {
    folder = await temporaryFolder();
    holdword = await spawnHoldword(['--data', folder.path]);
    drivers = openDrivers(holdword.target);
  });
  afterAll(async () => {
    await drivers.close();
    expect(await holdword.stop()).toBe(0);
    await folder.remove();
  });

  const WORDS: Record<string, (driver: Driver) => Promise<void>> = {
    'echo hello': async (driver) => {
      const task = await sendForTask(driver, say('echo hello'));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(Object.values(artifactTexts(task))).toEqual(['hello']);
    },
    'count to 5': async (driver) => {
      const events = await allEvents(driver.stream(say('count to 5')));
      expect(outline(events).filter((line) => line.startsWith('artifact'))).toHaveLength(5);
      expect(outline(events).at(-1)).toMatch(/^completed/);
    },
    table: async (driver) => {
      const task = await sendForTask(driver, say('table'));
      expect(task.artifacts?.[0]?.parts[0]?.data).toMatchObject({ rows: expect.any(Array) });
    },
    file: async (driver) => {
      const [part] = (await sendForTask(driver, say('file'))).artifacts?.[0]?.parts ?? [];
      expect(Buffer.from(part?.raw ?? '', 'base64').toString()).toContain('Earth');
    },
    'ask me': async (driver) => {
      const asked = await sendForTask(driver, say('ask me'));
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const answered = await sendForTask(driver, say('Ada', { taskId: asked.id }));
      expect(Object.values(artifactTexts(answered))).toEqual(['Hello, Ada!']);
    },
    login: async (driver) => {
      const asked = await sendForTask(driver, say('login'));
      expect(asked.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
      const answered = await sendForTask(driver, say('done', { taskId: asked.id }));
      expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
    },
    'wait 3600': async (driver) => {
      const { id } = await sendForTask(driver, sayAndLeave('wait 3600'));
      expect((await driver.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
    },
    fail: async (driver) => {
      expect((await sendForTask(driver, say('fail'))).status.state).toBe('TASK_STATE_FAILED');
    },
    hello: async (driver) => {
      const answer = await driver.send(say('hello'));
      expect('message' in answer && textOf(answer.message.parts)).toMatch(/hello/i);
    },
  };

  for (const version of VERSIONS) {
    for (const binding of BINDINGS) {
      for (const client of CLIENTS) {
        test.each(Object.entries(WORDS))(`%s [${binding} ${version}, ${client}]`, async (_words, run) => {
          await run(await drivers.open({ binding, version, client }));
        });
      }
    }
  }
});

describe('holdword serve that was killed', () => {
  watchForLeaks();

  test('continues the task that waited for an answer', async () => {
    const folder = await temporaryFolder();
    const choice = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;
    const first = await spawnHoldword(['--data', folder.path]);
    const asked = await sendForTask(await openDriver(first.target, choice), say('ask me'));
    await first.kill();

    const second = await spawnHoldword(['--data', folder.path]);
    const driver = await openDriver(second.target, choice);
    expect(await driver.get({ id: asked.id })).toEqual(asked);
    const answered = await sendForTask(driver, say('Ada', { taskId: asked.id }));
    expect(Object.values(artifactTexts(answered))).toEqual(['Hello, Ada!']);
    expect(await second.stop()).toBe(0);
    await folder.remove();
  });
});
