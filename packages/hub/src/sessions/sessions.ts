import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { HubRequestContext } from '../hub-part.ts';
import type { HubSettings } from '../hub-settings.ts';
import type { Identity } from '../identity/identity.ts';
import { declaredContextToken, declaredSessionIds } from './declared-sessions.ts';
import type { ResolvedSession, Session, SessionResolution } from './session.ts';

const SESSIONS = 'hub-sessions';
/** By agent: the session it used last. */
const LATEST = 'hub-latest-sessions';
/** By agent and start: all its sessions. */
const BY_AGENT = 'hub-agent-sessions';
/** By agent and its own word for a session. */
const BY_CONTEXT = 'hub-context-sessions';

/** A session's last use is written down as often as this at most, so that a busy one costs no write for each message. */
const TOUCH_MILLISECONDS = 60_000;
const TIME_DIGITS = 15;
const FORGOTTEN_AT_ONCE = 2;

type Limits = Pick<HubSettings, 'sessionSeconds' | 'idleSeconds'>;
type Records = Pick<Store, 'getRecord' | 'putRecord' | 'replaceRecord' | 'deleteRecord' | 'listRecords'>;

/**
 * The sessions of a hub.
 *
 * Responsible for finding the session of a request in the order of precedence, for how long sessions live, and for
 * keeping agents apart: a session of another agent is as unknown as one that does not exist. Nothing is swept: a session
 * is over when its time is, and forgotten when its agent begins others. Leaves what happens in a session to the tasks whose context it is.
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

  /** Whoever's it is, and whether it is over or not; nothing is changed. */
  async find(sessionId: string): Promise<Session | undefined> {
    const value = await this.#store.getRecord(SESSIONS, sessionId);
    return value === undefined ? undefined : decode(value);
  }

  /** The session if it is the agent's own. */
  async own(sessionId: string, agentId: string): Promise<Session | undefined> {
    const session = await this.find(sessionId);
    return session?.agentId === agentId ? session : undefined;
  }

  /** The session that an agent used last, over or not. */
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

  /** It can be continued by its id. */
  isAlive(session: Session): boolean {
    return session.expiresAt > this.#now();
  }

  /** It is continued by a request that names no session. */
  isActive(session: Session): boolean {
    return this.isAlive(session) && session.lastUsedAt + this.#limits.idleSeconds * 1000 > this.#now();
  }

  /** The session of a request, which is used now; a new one where there is none to continue. */
  async resolve(
    requestContext: HubRequestContext,
    params: JsonObject,
    identity: Identity,
  ): Promise<ResolvedSession> {
    const { agentId } = identity;
    const context = declaredContextToken(requestContext, params);
    const contextKey = `${agentId}/${context}`;
    const [latestId, mappedId] = await Promise.all([
      this.#store.getRecord(LATEST, agentId),
      context === undefined ? undefined : this.#store.getRecord(BY_CONTEXT, contextKey),
    ]);
    const found =
      (await this.#named(requestContext, params, agentId)) ??
      (await this.#ofContext(agentId, context, mappedId)) ??
      (await this.#latestActive(latestId)) ??
      (await this.#begin(agentId, latestId));
    const session = found.isNew ? found.session : await this.#touch(found.session, latestId);
    if (context !== undefined && mappedId !== session.sessionId)
      await this.#store.putRecord(BY_CONTEXT, contextKey, session.sessionId);
    return { ...found, session };
  }

  async #named(
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

  async #ofContext(
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

  /** Of several requests that begin a session at once, one does; the others continue it. */
  async #begin(agentId: string, latestId: string | undefined): Promise<ResolvedSession> {
    const now = this.#now();
    const session: Session = {
      sessionId: randomUUID(),
      agentId,
      startedAt: now,
      lastUsedAt: now,
      expiresAt: now + this.#limits.sessionSeconds * 1000,
    };
    const { sessionId } = session;
    const listKey = `${agentId}/${String(now).padStart(TIME_DIGITS, '0')}/${sessionId}`;
    // Together, because they then share one commit; in this order, so that the latest session is always there.
    const [, , isFirst] = await Promise.all([
      this.#store.putRecord(SESSIONS, sessionId, encode(session)),
      this.#store.putRecord(BY_AGENT, listKey, sessionId),
      this.#store.replaceRecord(LATEST, agentId, latestId, sessionId),
    ]);
    if (!isFirst) {
      const first = await this.#latestActive(await this.#store.getRecord(LATEST, agentId));
      if (first !== undefined) {
        await this.#forget(sessionId, listKey);
        return first;
      }
    }
    await this.#forgetOldest(agentId);
    return { session, resolution: { source: 'new_session' }, isNew: true };
  }

  /** More than one is looked at for each that begins, so that those that are over do not pile up. */
  async #forgetOldest(agentId: string): Promise<void> {
    const oldest = await this.#store.listRecords(BY_AGENT, `${agentId}/`, { limit: FORGOTTEN_AT_ONCE });
    for (const { key, value: sessionId } of oldest) {
      const session = await this.find(sessionId);
      if (session !== undefined && this.isAlive(session)) return;
      await this.#forget(sessionId, key);
    }
  }

  async #forget(sessionId: string, listKey: string): Promise<void> {
    await Promise.all([
      this.#store.deleteRecord(SESSIONS, sessionId),
      this.#store.deleteRecord(BY_AGENT, listKey),
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

function continued(session: Session, resolution: SessionResolution): ResolvedSession {
  return { session, resolution, isNew: false };
}

function encode(session: Session): string {
  return JSON.stringify(session);
}

/** Written by this file alone, so its shape is known. */
function decode(value: string): Session {
  return JSON.parse(value) as Session;
}
