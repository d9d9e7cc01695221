import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { answeringExecutor } from '../testing/answering-executor.ts';
import { startHubScene } from '../testing/start-hub-scene.ts';

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/**
 * How many transactions the write-ahead log of a folder has: each ends with a frame that says how large the database is then.
 * Frames of an older log have other salts.
 */
async function countCommits(folder: string): Promise<number> {
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('-wal'));
  const log = await readFile(join(folder, name));
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = WAL_HEADER; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

test('a registration is one commit: the agent, its lists and its session', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-commits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const hub = await startHubScene(answeringExecutor, { store, settings: { watchSeconds: 0 } });
  const controller = await hub.register('crew');
  for (const [agentId, more] of [
    ['runner-01', {}],
    ['runner-02', { skills: ['deploy'] }],
  ] as const) {
    const before = await countCommits(folder);
    const { sessionId } = await hub.register(agentId, more, controller);
    expect((await countCommits(folder)) - before).toBe(1);
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(await hub.call('fleet/status', {}, controller)).toMatchObject({
    agents: [
      { agent_id: 'runner-01', sessions: [{ is_active: true }] },
      { agent_id: 'runner-02', sessions: [{ is_active: true }] },
    ],
  });
});

test('of registrations of one name at once, one wins, and nothing of the others is left', async () => {
  const hub = await startHubScene(answeringExecutor);
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => hub.call('agents/register', { agent_id: 'runner' })),
  );
  const won = answers.filter(({ status }) => status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await hub.store.listRecords('hub-sessions')).toHaveLength(1);
});
