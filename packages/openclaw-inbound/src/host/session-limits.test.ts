import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolAccess } from '../config/account-config.ts';
import { SessionGuard, type SessionStore } from './session-limits.ts';

const SESSION = { agentId: 'main', sessionKey: 'agent:main:a2a:default:direct:anonymous-1:2' };
type Entry = NonNullable<ReturnType<SessionStore['getEntry']>>;

async function guarded() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'holdword-workspaces-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entries = new Map<string, Entry>();
  let writes = 0;
  const store: SessionStore = {
    getEntry: ({ sessionKey }) => entries.get(sessionKey),
    patchEntry: async ({ sessionKey, fallbackEntry, update }) => {
      writes += 1;
      const entry = { ...(entries.get(sessionKey) ?? fallbackEntry), ...update() };
      entries.set(sessionKey, entry);
      return entry;
    },
    pathOf: (agentId) => `/stores/${agentId}`,
    workspaces: join(folder, 'a2a'),
  };
  const guard = new SessionGuard(store);
  const limit = async (tools: ToolAccess, privateFiles = false) => {
    await guard.limit(SESSION, { tools, privateFiles, workspace: 'peer-ada' });
    return entries.get(SESSION.sessionKey);
  };
  return { guard, store, entries, limit, own: join(folder, 'a2a', 'peer-ada'), writes: () => writes };
}

test.each([
  ['none', 'read-only'],
  [['read', 'write'], 'guarded'],
  [['read', 'exec'], undefined],
] as const)(
  'a session of a caller with the tools %s runs in its own folder, mode %s',
  async (tools, mode) => {
    const { limit, own } = await guarded();
    expect(await limit(tools)).toMatchObject({
      subagentRole: 'leaf',
      permissionMode: mode,
      sessionRoot: own,
      spawnedCwd: own,
    });
    expect((await stat(own)).mode & 0o777).toBe(0o700);
  },
);

test('a caller with private files runs in the workspace of the agent, with the same mode', async () => {
  const { limit } = await guarded();
  expect(await limit(['read'], true)).toMatchObject({
    subagentRole: 'leaf',
    permissionMode: 'guarded',
    sessionRoot: undefined,
    spawnedCwd: undefined,
  });
});

test('a caller with all tools is not confined, and the gateway still does not resume its session', async () => {
  const { limit } = await guarded();
  await limit(['read']);
  expect(await limit('all')).toMatchObject({
    subagentRole: 'leaf',
    permissionMode: undefined,
    sessionRoot: undefined,
    spawnedCwd: undefined,
  });
});

test('limits are written once, and again after the gateway has dropped them', async () => {
  const { guard, entries, limit, writes } = await guarded();
  const turn = { tools: 'none', privateFiles: false, workspace: 'peer-ada' } as const;
  await limit('none');
  await limit('none');
  expect(writes()).toBe(1);
  expect(await guard.isLimited(SESSION, turn)).toBe(true);
  entries.set(SESSION.sessionKey, { sessionId: 'another', updatedAt: 0, permissionMode: 'read-only' });
  expect(await guard.isLimited(SESSION, turn)).toBe(false);
  await limit('none');
  expect(writes()).toBe(2);
});

test('a run that an earlier process has left behind is ended', async () => {
  const { entries, limit } = await guarded();
  const running = { sessionId: 'same', status: 'running', abortedLastRun: true } as const;
  entries.set(SESSION.sessionKey, { ...running, updatedAt: Date.now() - 1_000 });
  expect(await limit('none')).toMatchObject({ sessionId: 'same', status: 'killed', abortedLastRun: false });
  entries.set(SESSION.sessionKey, { ...running, updatedAt: Date.now() + 1_000 });
  expect(await limit('none')).toMatchObject({ status: 'running', abortedLastRun: true });
});

test('a session without an entry is not limited', async () => {
  const { guard } = await guarded();
  expect(await guard.isLimited(SESSION, { tools: 'all', privateFiles: true, workspace: 'x' })).toBe(false);
});

test('rejects if the gateway does not store the limits', async () => {
  const { store } = await guarded();
  const guard = new SessionGuard({ ...store, patchEntry: async () => null });
  const turn = { tools: 'none', privateFiles: false, workspace: 'anonymous' } as const;
  await expect(guard.limit(SESSION, turn)).rejects.toThrow('could not be stored');
});
