import type { JsonObject } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, it } from 'vitest';
import { HubError } from '../wire/hub-error.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { SESSION_PRECEDENCE, type Session, type SessionSource } from './session.ts';
import { Sessions } from './sessions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function openSessions() {
  const clock = { now: 1_800_000_000_000 };
  const limits = { sessionSeconds: 7 * 24 * 60 * 60, idleSeconds: 90 * 60 };
  return { clock, sessions: new Sessions(openMemoryStore(), limits, () => clock.now) };
}

const RUNNER = 'runner';

function call(more: Partial<HubRequestContext> = {}): HubRequestContext {
  const signal = AbortSignal.timeout(60_000);
  return {
    headers: {},
    peer: undefined,
    callerKey: undefined,
    isOperator: false,
    startedAt: 0,
    signal,
    ...more,
  };
}

/** How a request declares a session in each source, as a change to the request. */
const PLACES: Partial<Record<SessionSource, (request: Request, value: string) => Request>> = {
  'header x-delx-session-id': (request, value) => ({ ...request, header: value }),
  'params.session_id|sessionId': (request, value) => inParams(request, { session_id: value }),
  'params.contextId (UUID)': (request, value) => inParams(request, { contextId: value }),
  'metadata.session_id': (request, value) => inObject(request, 'metadata', { session_id: value }),
  'metadata.contextId (UUID)': (request, value) => inObject(request, 'metadata', { contextId: value }),
  'configuration.sessionId': (request, value) => inObject(request, 'configuration', { sessionId: value }),
  'configuration.contextId (UUID)': (request, value) =>
    inObject(request, 'configuration', { contextId: value }),
  'top-level contextId (UUID)': (request, value) => ({ ...request, contextId: value }),
};
const NAMED = SESSION_PRECEDENCE.slice(0, 8);

interface Request {
  readonly header?: string;
  readonly contextId?: string;
  readonly params: JsonObject;
}

function inParams(request: Request, fields: JsonObject): Request {
  return { ...request, params: { ...request.params, ...fields } };
}

function inObject(request: Request, name: string, fields: JsonObject): Request {
  const before = request.params[name];
  return inParams(request, { [name]: { ...(typeof before === 'object' ? before : {}), ...fields } });
}

function requestNaming(values: ReadonlyMap<SessionSource, string>): Request {
  return [...values].reduce<Request>(
    (request, [source, value]) => PLACES[source]?.(request, value) ?? request,
    { params: {} },
  );
}

async function resolve(sessions: Sessions, { header, contextId, params }: Request, agentId = RUNNER) {
  const headers = header === undefined ? {} : { 'x-delx-session-id': header };
  return sessions.resolve(call({ headers, contextId }), params, agentId);
}

/** Several sessions of one agent, each started after the previous one became idle. */
async function beginSessions(count: number) {
  const opened = openSessions();
  const begun: Session[] = [];
  for (let index = 0; index < count; index += 1) {
    const { session, isNew } = await resolve(opened.sessions, { params: {} });
    expect(isNew).toBe(true);
    begun.push(session);
    opened.clock.now += 91 * MINUTE;
  }
  return { ...opened, begun };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('Something was written.'));
}

describe('the session of a request', () => {
  it.each(NAMED.map((source, index) => [source, index] as const))(
    '%s takes precedence over all sources below it',
    async (source, index) => {
      const { sessions, begun } = await beginSessions(NAMED.length);
      const named = new Map(
        NAMED.slice(index).map((each, offset) => [each, begun[index + offset]?.sessionId ?? '']),
      );
      const { session, resolution, isNew } = await resolve(sessions, requestNaming(named));
      expect(resolution).toEqual({ source, value: begun[index]?.sessionId });
      expect(session.sessionId).toBe(begun[index]?.sessionId);
      expect(isNew).toBe(false);
    },
  );

  it.each(NAMED.slice(0, -1))(
    '%s with an unknown session falls through to the next source',
    async (source) => {
      const { sessions, begun } = await beginSessions(1);
      const next = NAMED[NAMED.indexOf(source) + 1] ?? 'new_session';
      const named = new Map<SessionSource, string>([
        [source, '00000000-0000-4000-8000-000000000000'],
        [next, begun[0]?.sessionId ?? ''],
      ]);
      const { resolution } = await resolve(sessions, requestNaming(named));
      expect(resolution.source).toBe(next);
    },
  );

  it.each(NAMED.slice(1))('%s that is not a UUID is skipped', async (source) => {
    const { sessions } = openSessions();
    const { resolution } = await resolve(sessions, requestNaming(new Map([[source, 'not a uuid!']])));
    expect(resolution).toEqual({ source: 'new_session' });
  });

  it('rejects a header that is not a UUID', async () => {
    const { sessions } = openSessions();
    const refused = resolve(sessions, { header: 'demo', params: {} });
    await expect(refused).rejects.toThrow(HubError);
    await expect(refused).rejects.toMatchObject({ code: 'DELX-A2A-1004' });
  });

  it("treats another agent's session as nonexistent", async () => {
    const { sessions, begun } = await beginSessions(1);
    const foreign = new Map(NAMED.map((source) => [source, begun[0]?.sessionId ?? '']));
    const { session, resolution } = await resolve(sessions, requestNaming(foreign), 'other');
    expect(resolution.source).toBe('new_session');
    expect(session).toMatchObject({ agentId: 'other' });
    expect(session.sessionId).not.toBe(begun[0]?.sessionId);
  });

  it("resolves an agent's own name for a session, but not another agent's", async () => {
    const { sessions, clock } = openSessions();
    const named = { params: { configuration: { contextId: 'demo' } } };
    const first = await resolve(sessions, named);
    clock.now += 91 * MINUTE;
    const other = await resolve(sessions, { params: {} });
    expect(other.isNew).toBe(true);
    const again = await resolve(sessions, named);
    expect(again).toMatchObject({
      session: { sessionId: first.session.sessionId },
      resolution: { source: 'contextId token map', value: 'demo' },
    });
    expect((await resolve(sessions, named, 'other')).isNew).toBe(true);
  });

  it('is the most recently used one if the request names none', async () => {
    const { sessions } = openSessions();
    const first = await resolve(sessions, { params: {} });
    const again = await resolve(sessions, { params: {} });
    expect(again.resolution).toEqual({
      source: 'latest active session of agent',
      value: first.session.sessionId,
    });
  });

  it('is created once, even if many requests start it at the same time', async () => {
    const { sessions } = openSessions();
    const resolved = await Promise.all(Array.from({ length: 20 }, () => resolve(sessions, { params: {} })));
    expect(new Set(resolved.map(({ session }) => session.sessionId)).size).toBe(1);
    expect(resolved.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await sessions.list('runner', 10)).toHaveLength(1);
  });
});

describe('a session that is used repeatedly', () => {
  it('causes no writes', async () => {
    const store = openMemoryStore();
    const limits = { sessionSeconds: 600, idleSeconds: 60 };
    const sessions = new Sessions(store, limits, () => 1_800_000_000_000);
    const named = { params: { configuration: { contextId: 'demo' } } };
    const { session } = await resolve(sessions, named);
    const reading = {
      getRecord: store.getRecord.bind(store),
      listRecords: store.listRecords.bind(store),
      putRecord: refuse,
      replaceRecord: refuse,
      deleteRecord: refuse,
    };
    const again = new Sessions(reading, limits, () => 1_800_000_000_000);
    const byId = { params: { ...named.params, session_id: session.sessionId } };
    for (const request of [named, { params: {} }, byId])
      expect((await resolve(again, request)).session).toEqual(session);
  });
});

describe('the lifetime of a session', () => {
  it('ends seven days after its last use', async () => {
    const { sessions, clock } = openSessions();
    const { session } = await resolve(sessions, { params: {} });
    const named = { params: { session_id: session.sessionId } };
    clock.now += 6 * DAY;
    const used = await resolve(sessions, named);
    expect(used.session.expiresAt).toBe(clock.now + 7 * DAY);
    clock.now += 7 * DAY;
    expect((await resolve(sessions, named)).isNew).toBe(true);
  });

  it('becomes idle after ninety minutes and can be resumed by id', async () => {
    const { sessions, clock } = openSessions();
    const { session } = await resolve(sessions, { params: {} });
    clock.now += 90 * MINUTE;
    expect(sessions.isActive(session)).toBe(false);
    expect((await resolve(sessions, { params: {} })).isNew).toBe(true);
    const named = await resolve(sessions, { params: { session_id: session.sessionId } });
    expect(named.isNew).toBe(false);
    expect(sessions.isActive(named.session)).toBe(true);
    expect((await resolve(sessions, { params: {} })).session.sessionId).toBe(session.sessionId);
  });

  it('lists the sessions of an agent, newest first', async () => {
    const { sessions, begun } = await beginSessions(3);
    const listed = await sessions.list('runner', 2);
    expect(listed.map(({ sessionId }) => sessionId)).toEqual([begun[2]?.sessionId, begun[1]?.sessionId]);
  });

  it('is deleted after it has expired and new sessions have started', async () => {
    const { sessions, clock, begun } = await beginSessions(3);
    clock.now += 7 * DAY;
    const { session } = await resolve(sessions, { params: {} });
    expect(await sessions.find(begun[0]?.sessionId ?? '')).toBeUndefined();
    clock.now += 91 * MINUTE;
    const last = await resolve(sessions, { params: {} });
    const left = await sessions.list('runner', 10);
    expect(left.map(({ sessionId }) => sessionId)).toEqual([last.session.sessionId, session.sessionId]);
  });
});
