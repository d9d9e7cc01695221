import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { HubSettings } from '../hub-settings.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { timeKey } from '../wire/times.ts';
import { asksForNewSession, declaredContextToken, declaredSessionIds } from './declared-sessions.ts';
import type { ResolvedSession, Session, SessionResolution } from './session.ts';

const SESSIONS = 'hub-sessions';
/** By agent: its most recently used session. */
const LATEST = 'hub-latest-sessions';
/** By agent and start time: all sessions of the agent. */
const BY_AGENT = 'hub-agent-sessions';
/** By start time: all sessions. */
export const SESSION_TIMES = 'hub-session-times';
/** By agent and the agent's own name for a session. */
export const CONTEXT_SESSIONS = 'hub-context-sessions';

/** The last use of a session is written at most this often, so that a busy session costs no write per message. */
const TOUCH_MILLISECONDS = 60_000;
const MAX_DELETED_AT_ONCE = 2;

type Limits = Pick<HubSettings, 'sessionSeconds' | 'idleSeconds'>;
type Records = Pick<Store, 'getRecord' | 'putRecord' | 'replaceRecord' | 'deleteRecord' | 'listRecords'>;

/**
 * The sessions of a hub.
 *
 * Responsible for resolving the session of a request in order of precedence, for session lifetimes, and for isolation:
 * another agent's session is treated as if it did not exist. Expired sessions are deleted
 * when their agent starts new ones, and by the retention of the hub. Leaves the content of a session to the tasks in its context.
 */
export class Sessions {
  readonly #store: Records;
  readonly #limits: Limits;
  readonly #now: () => number;

  constructor(store: Records, limits: Limits, now: () => number) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
  }

  /** Finds a session of any agent, even if it has expired. */
  async find(sessionId: string): Promise<Session | undefined> {
    const value = await this.#store.getRecord(SESSIONS, sessionId);
    return value === undefined ? undefined : decode(value);
  }

  /** Finds a session if it belongs to the agent. */
  async own(sessionId: string, agentId: string): Promise<Session | undefined> {
    const session = await this.find(sessionId);
    return session?.agentId === agentId ? session : undefined;
  }

  /** The most recently used session of an agent, even if it has expired. */
  async latest(agentId: string): Promise<Session | undefined> {
    const sessionId = await this.#store.getRecord(LATEST, agentId);
    return sessionId === undefined ? undefined : this.find(sessionId);
  }

  /** The sessions of an agent, newest first. */
  async list(agentId: string, limit: number): Promise<Session[]> {
    const records = await this.#store.listRecords(BY_AGENT, `${agentId}/`, { limit, descending: true });
    const sessions = await Promise.all(records.map(({ value }) => this.find(value)));
    return sessions.filter((session) => session !== undefined);
  }

  /** One page of the sessions of an agent, or of all, newest first. */
  async listNewest(page: {
    readonly agentId: string | undefined;
    readonly limit: number;
    readonly after: string | undefined;
  }): Promise<{ readonly sessions: readonly Session[]; readonly next: string | undefined }> {
    const { agentId, limit, after } = page;
    const [namespace, prefix] = agentId === undefined ? [SESSION_TIMES, ''] : [BY_AGENT, `${agentId}/`];
    const records = await this.#store.listRecords(namespace, prefix, {
      limit,
      descending: true,
      ...(after !== undefined && { after: `${prefix}${after}` }),
    });
    const sessions = await Promise.all(records.map(({ value }) => this.find(value)));
    return {
      sessions: sessions.filter((session) => session !== undefined),
      next: records.length < limit ? undefined : records.at(-1)?.key.slice(prefix.length),
    };
  }

  /** The position of a session in both lists, to continue a page after it. */
  positionOf(session: Session): string {
    return positionOf(session);
  }

  /** Whether the session can be resumed by id. */
  isAlive(session: Session): boolean {
    return session.expiresAt > this.#now();
  }

  /** Whether requests that name no session resume this one. */
  isActive(session: Session): boolean {
    return this.isAlive(session) && session.lastUsedAt + this.#limits.idleSeconds * 1000 > this.#now();
  }

  /**
   * Starts the first session of a new agent, in the same commit as the agent, which `adding` adds. Resolves with undefined, and
   * leaves nothing behind, if the agent could not be added.
   */
  async startWith(agentId: string, adding: Promise<boolean>): Promise<ResolvedSession | undefined> {
    const [isAdded, { session, isFirst }] = await Promise.all([adding, this.#add(agentId, undefined)]);
    if (!isAdded) {
      await this.remove(session);
      return undefined;
    }
    // Another registration of the name began a session, and will remove it.
    if (!isFirst) await this.#store.putRecord(LATEST, agentId, session.sessionId);
    return { session, resolution: { source: 'new_session' }, isNew: true };
  }

  /**
   * Finds or creates the session of a request and records that it was used. `started` is the one that a new agent began with.
   */
  async resolve(
    requestContext: HubRequestContext,
    params: JsonObject,
    agentId: string,
    started?: ResolvedSession,
  ): Promise<ResolvedSession> {
    const context = declaredContextToken(requestContext, params);
    const contextKey = `${agentId}/${context}`;
    if (started !== undefined) {
      if (context !== undefined)
        await this.#store.putRecord(CONTEXT_SESSIONS, contextKey, started.session.sessionId);
      return started;
    }
    const [latestId, mappedId] = await Promise.all([
      this.#store.getRecord(LATEST, agentId),
      context === undefined ? undefined : this.#store.getRecord(CONTEXT_SESSIONS, contextKey),
    ]);
    const found =
      (await this.#onRequest(params, agentId, latestId)) ??
      (await this.#byDeclaredId(requestContext, params, agentId)) ??
      (await this.#byContextToken(agentId, context, mappedId)) ??
      (await this.#latestActive(latestId)) ??
      (await this.#create(agentId, latestId));
    const session = found.isNew ? found.session : await this.#touch(found.session, latestId);
    if (context !== undefined && mappedId !== session.sessionId)
      await this.#store.putRecord(CONTEXT_SESSIONS, contextKey, session.sessionId);
    return { ...found, session };
  }

  /** A new session next to those that are open, if the request asks for one. */
  async #onRequest(
    params: JsonObject,
    agentId: string,
    latestId: string | undefined,
  ): Promise<ResolvedSession | undefined> {
    return asksForNewSession(params) ? this.#create(agentId, latestId, { shared: false }) : undefined;
  }

  async #byDeclaredId(
    requestContext: HubRequestContext,
    params: JsonObject,
    agentId: string,
  ): Promise<ResolvedSession | undefined> {
    for (const { source, value } of declaredSessionIds(requestContext, params)) {
      const session = await this.own(value, agentId);
      if (session !== undefined && this.isAlive(session)) return continued(session, { source, value });
    }
    return undefined;
  }

  async #byContextToken(
    agentId: string,
    context: string | undefined,
    mappedId: string | undefined,
  ): Promise<ResolvedSession | undefined> {
    if (context === undefined || mappedId === undefined) return undefined;
    const session = await this.own(mappedId, agentId);
    if (session === undefined || !this.isAlive(session)) return undefined;
    return continued(session, { source: 'contextId token map', value: context });
  }

  async #latestActive(latestId: string | undefined): Promise<ResolvedSession | undefined> {
    const session = latestId === undefined ? undefined : await this.find(latestId);
    if (session === undefined || !this.isActive(session)) return undefined;
    return continued(session, { source: 'latest active session of agent', value: session.sessionId });
  }

  /**
   * If several requests start a session at the same time, one of them does and the others resume it, unless they want one of
   * their own.
   */
  async #create(
    agentId: string,
    latestId: string | undefined,
    { shared }: { shared: boolean } = { shared: true },
  ): Promise<ResolvedSession> {
    const { session, isFirst } = await this.#add(agentId, latestId);
    if (!isFirst && shared) {
      const first = await this.#latestActive(await this.#store.getRecord(LATEST, agentId));
      if (first !== undefined) {
        await this.remove(session);
        return first;
      }
    }
    await this.#deleteExpired(agentId);
    return { session, resolution: { source: 'new_session' }, isNew: true };
  }

  /** Stores a new session in one commit. It is the latest one, unless another was started in the meantime. */
  async #add(agentId: string, latestId: string | undefined): Promise<{ session: Session; isFirst: boolean }> {
    const now = this.#now();
    const session: Session = {
      sessionId: randomUUID(),
      agentId,
      startedAt: now,
      lastUsedAt: now,
      expiresAt: now + this.#limits.sessionSeconds * 1000,
    };
    const { sessionId } = session;
    // In parallel, so that they share one commit; in this order, so that the latest session always exists.
    const [, , , isFirst] = await Promise.all([
      this.#store.putRecord(SESSIONS, sessionId, encode(session)),
      this.#store.putRecord(BY_AGENT, `${agentId}/${positionOf(session)}`, sessionId),
      this.#store.putRecord(SESSION_TIMES, positionOf(session), sessionId),
      this.#store.replaceRecord(LATEST, agentId, latestId, sessionId),
    ]);
    return { session, isFirst };
  }

  /** Checks more than one session for each new one, so that expired sessions do not accumulate. */
  async #deleteExpired(agentId: string): Promise<void> {
    const oldest = await this.#store.listRecords(BY_AGENT, `${agentId}/`, { limit: MAX_DELETED_AT_ONCE });
    for (const { key, value: sessionId } of oldest) {
      const session = await this.find(sessionId);
      if (session !== undefined && this.isAlive(session)) return;
      if (session === undefined) await this.#store.deleteRecord(BY_AGENT, key);
      else await this.remove(session);
    }
  }

  /** Deletes a session with everything that refers to it, except the agent's own names for it. */
  async remove(session: Session): Promise<void> {
    const { sessionId, agentId } = session;
    await Promise.all([
      this.#store.deleteRecord(BY_AGENT, `${agentId}/${positionOf(session)}`),
      this.#store.deleteRecord(SESSION_TIMES, positionOf(session)),
      this.#store.deleteRecord(LATEST, agentId, sessionId),
      this.#store.deleteRecord(SESSIONS, sessionId),
    ]);
  }

  async #touch(session: Session, latestId: string | undefined): Promise<Session> {
    const { sessionId, agentId, lastUsedAt } = session;
    if (sessionId !== latestId) await this.#store.putRecord(LATEST, agentId, sessionId);
    const now = this.#now();
    if (now - lastUsedAt < TOUCH_MILLISECONDS) return session;
    const used = { ...session, lastUsedAt: now, expiresAt: now + this.#limits.sessionSeconds * 1000 };
    await this.#store.putRecord(SESSIONS, sessionId, encode(used));
    return used;
  }
}

function positionOf({ sessionId, startedAt }: Session): string {
  return `${timeKey(startedAt)}/${sessionId}`;
}

function continued(session: Session, resolution: SessionResolution): ResolvedSession {
  return { session, resolution, isNew: false };
}

function encode(session: Session): string {
  return JSON.stringify(session);
}

/** Only this file writes the records, so their shape is known. */
function decode(value: string): Session {
  return JSON.parse(value) as Session;
}
