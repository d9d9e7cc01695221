import { ownerFromKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { handoffFields } from '../handoff/handoff-view.ts';
import { statusOf, type Handoff } from '../handoff/handoff.ts';
import { Handoffs, positionOf, type HandoffQuery } from '../handoff/handoffs.ts';
import { AlarmRecords, type AlarmRecord } from '../heartbeats/alarm-records.ts';
import { lastSeenAt, METRIC_FIELDS, type HeartbeatMetrics } from '../heartbeats/heartbeat-series.ts';
import { healthOf, Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubSettings } from '../hub-settings.ts';
import { Identities } from '../identity/identities.ts';
import { controllerOf, type AgentMark, type AgentRecord } from '../identity/identity.ts';
import type { Session } from '../sessions/session.ts';
import { Sessions } from '../sessions/sessions.ts';
import { isoTime } from '../wire/times.ts';
import type { AgentView, AlarmView, HandoffView, HeartbeatsView, SessionView } from './directory-schemas.ts';

/** Who looks: an operator sees everything, a caller the agents that it registered and what belongs to them. */
export type Viewer =
  { readonly isOperator: true } | { readonly isOperator: false; readonly callerKey: string };

/** Which part of a list to show. A filter that is undefined accepts everything. */
export interface DirectoryQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly agentId?: string | undefined;
  readonly controllerId?: string | undefined;
  readonly status?: string | undefined;
  readonly health?: string | undefined;
  readonly type?: string | undefined;
}

export interface DirectoryPage<View> {
  readonly items: readonly View[];
  readonly nextCursor: string | null;
}

/** Records are read this many at a time, and at most this many for one page: then the page is short and has a cursor. */
const BATCH = 100;
const MAX_READ = 2_000;

/** The records of a hub that the directory and the changes of operators use. */
export interface HubRecords {
  readonly store: Store;
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly heartbeats: Heartbeats;
  readonly handoffs: Handoffs;
  readonly now: () => number;
}

/** Opens the records of a hub in a store, while the hub runs or not. */
export function openHubRecords(
  store: Store,
  settings: HubSettings,
  now: () => number = Date.now,
): HubRecords {
  const sessions = new Sessions(store, settings, now);
  return {
    store,
    sessions,
    identities: new Identities(store, sessions, () => Promise.resolve()),
    heartbeats: new Heartbeats(store, now, settings),
    handoffs: new Handoffs(store, now),
    now,
  };
}

/**
 * What a hub knows, for the command line, the REST interface and a console.
 *
 * Responsible for pages and filters, and for showing a caller nothing of others. It changes nothing. A page costs what it
 * reads, which is bounded.
 */
export class HubDirectory {
  readonly #records: HubRecords;
  readonly #alarms: AlarmRecords;

  constructor(records: HubRecords) {
    this.#records = records;
    this.#alarms = new AlarmRecords(records.store);
  }

  async agents(viewer: Viewer, query: DirectoryQuery): Promise<DirectoryPage<AgentView>> {
    const { identities } = this.#records;
    const caller = viewer.isOperator ? undefined : viewer.callerKey;
    const read = async (after: string | undefined) => {
      const { agents, next } = await identities.list({ limit: BATCH, after }, caller);
      return { entries: agents.map((agent) => ({ position: agent.agentId, value: agent })), next };
    };
    return collect(query, read, async (agent) => {
      if (!matches(query.controllerId, controllerOf(agent))) return undefined;
      const view = await this.#agentView(agent);
      return matches(query.status, view.status) && matches(query.health, view.health) ? view : undefined;
    });
  }

  /** Undefined if the viewer has no such agent. */
  async agent(viewer: Viewer, agentId: string): Promise<AgentView | undefined> {
    const agent = await this.#visibleAgent(viewer, agentId);
    return agent && this.#agentView(agent);
  }

  async heartbeats(viewer: Viewer, agentId: string): Promise<HeartbeatsView | undefined> {
    if ((await this.#visibleAgent(viewer, agentId)) === undefined) return undefined;
    const { samples = [], hours = [] } = (await this.#records.heartbeats.read(agentId)) ?? {};
    return {
      agent_id: agentId,
      samples: samples.map(({ at, ...metrics }) => ({ at: isoTime(at), ...metricsView(metrics) })),
      hours: hours.map(({ hour, count, ...metrics }) => ({
        hour: isoTime(hour),
        heartbeats: count,
        ...metricsView(metrics),
      })),
    };
  }

  async sessions(viewer: Viewer, query: DirectoryQuery): Promise<DirectoryPage<SessionView>> {
    const { sessions } = this.#records;
    const isVisible = this.#visibility(viewer);
    const read = async (after: string | undefined) => {
      const page = await sessions.listNewest({ agentId: query.agentId, after, limit: BATCH });
      const entries = page.sessions.map((each) => ({ position: sessions.positionOf(each), value: each }));
      return { entries, next: page.next };
    };
    return collect(query, read, async (session) => {
      const view = this.#sessionView(session);
      return matches(query.status, view.status) && (await isVisible(session.agentId)) ? view : undefined;
    });
  }

  async session(viewer: Viewer, sessionId: string): Promise<SessionView | undefined> {
    const session = await this.#records.sessions.find(sessionId);
    if (session === undefined || !(await this.#visibility(viewer)(session.agentId))) return undefined;
    return this.#sessionView(session);
  }

  /** With the status `open`, only those that are offered or held. */
  async handoffs(viewer: Viewer, query: DirectoryQuery): Promise<DirectoryPage<HandoffView>> {
    const { handoffs } = this.#records;
    const isVisible = this.#visibility(viewer);
    const openOnly = query.status === 'open';
    const read = async (after: string | undefined) => {
      const wanted: HandoffQuery = {
        limit: BATCH,
        after,
        accepts: (handoff, { task, now }) =>
          matches(query.agentId, handoff.agentId) &&
          (openOnly || matches(query.status, statusOf(handoff, task, now))),
      };
      const page = openOnly ? await handoffs.listOpen(['all'], wanted) : await handoffs.listAll(wanted);
      const entries = page.handoffs.map((each) => ({ position: positionOf(each), value: each }));
      return { entries, next: page.next };
    };
    return collect(query, read, async (handoff) =>
      (await isVisible(handoff.agentId)) ? this.#handoffView(handoff) : undefined,
    );
  }

  async handoff(viewer: Viewer, handoffId: string): Promise<HandoffView | undefined> {
    const handoff = await this.#records.handoffs.find(handoffId);
    if (handoff === undefined || !(await this.#visibility(viewer)(handoff.agentId))) return undefined;
    return this.#handoffView(handoff);
  }

  async alarms(viewer: Viewer, query: DirectoryQuery): Promise<DirectoryPage<AlarmView>> {
    const isVisible = this.#visibility(viewer);
    const read = async (after: string | undefined) => {
      const listed = await this.#alarms.list({ limit: BATCH, ...(after !== undefined && { after }) });
      const entries = listed.map(({ position, record }) => ({ position, value: record }));
      return { entries, next: listed.length < BATCH ? undefined : listed.at(-1)?.position };
    };
    return collect(query, read, async (record) => {
      const view = alarmView(record);
      const isWanted = matches(query.agentId, view.agent_id) && matches(query.type, view.type);
      return isWanted && (await isVisible(view.agent_id)) ? view : undefined;
    });
  }

  async alarm(viewer: Viewer, alarmId: string): Promise<AlarmView | undefined> {
    const record = await this.#alarms.find(alarmId);
    if (record === undefined || !(await this.#visibility(viewer)(record.alarm.agent_id))) return undefined;
    return alarmView(record);
  }

  async #visibleAgent(viewer: Viewer, agentId: string): Promise<AgentRecord | undefined> {
    const agent = await this.#records.identities.find(agentId);
    return agent !== undefined && maySee(viewer, agent) ? agent : undefined;
  }

  /** Whether the viewer may see what belongs to an agent; each agent is read once. */
  #visibility(viewer: Viewer): (agentId: string) => Promise<boolean> {
    if (viewer.isOperator) return () => Promise.resolve(true);
    const known = new Map<string, Promise<boolean>>();
    return (agentId) => {
      const answer =
        known.get(agentId) ?? this.#visibleAgent(viewer, agentId).then((agent) => agent !== undefined);
      known.set(agentId, answer);
      return answer;
    };
  }

  async #agentView(agent: AgentRecord): Promise<AgentView> {
    const { agentId, blocked, deleted } = agent;
    const series = await this.#records.heartbeats.read(agentId);
    const last = series?.samples.at(-1);
    return {
      agent_id: agentId,
      agent_name: agent.agentName,
      status: deleted === undefined ? (blocked === undefined ? 'active' : 'blocked') : 'deleted',
      health: healthOf(series),
      identity_mode: agent.mode,
      registered_by: callerOf(agent.registeredBy),
      controller_id: agent.controllerId ?? null,
      controller_confirmed: controllerOf(agent) !== undefined,
      skills: [...(agent.skills ?? [])],
      source: agent.source ?? null,
      first_seen_at: isoTime(agent.firstSeenAt),
      last_seen_at: series === undefined ? null : isoTime(lastSeenAt(series)),
      last_heartbeat_at: last === undefined ? null : isoTime(last.at),
      missing_at: series?.watchedAt === undefined ? null : isoTime(series.dueAt),
      cadence_seconds: series?.cadenceSeconds ?? null,
      heartbeats: series?.count ?? 0,
      ...metricsView(last ?? NO_METRICS),
      blocked: markView(blocked),
      deleted: markView(deleted),
    };
  }

  #sessionView(session: Session): SessionView {
    const { sessions } = this.#records;
    const { sessionId, agentId, startedAt, lastUsedAt, expiresAt } = session;
    const status = sessions.isActive(session) ? 'active' : sessions.isAlive(session) ? 'idle' : 'expired';
    return {
      session_id: sessionId,
      agent_id: agentId,
      status,
      started_at: isoTime(startedAt),
      last_used_at: isoTime(lastUsedAt),
      expires_at: isoTime(expiresAt),
    };
  }

  async #handoffView(handoff: Handoff): Promise<HandoffView> {
    const { handoffs, now } = this.#records;
    return handoffFields(handoff, { task: await handoffs.momentOf(handoff), now: now() });
  }
}

function maySee(viewer: Viewer, { registeredBy }: AgentRecord): boolean {
  return viewer.isOperator || registeredBy === viewer.callerKey;
}

function matches(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted === found;
}

/** A part of a list, and where the next one begins; undefined at the end. */
interface ListPart<Value> {
  readonly entries: readonly { readonly position: string; readonly value: Value }[];
  readonly next: string | undefined;
}

/** Reads a list until a page is full. The cursor is the position of the last record that the page dealt with. */
async function collect<Value, View>(
  { limit, cursor }: DirectoryQuery,
  read: (after: string | undefined) => Promise<ListPart<Value>>,
  show: (value: Value) => Promise<View | undefined>,
): Promise<DirectoryPage<View>> {
  const items: View[] = [];
  let next = cursor;
  for (let seen = 0; seen < MAX_READ; seen += BATCH) {
    const part = await read(next);
    for (const { position, value } of part.entries) {
      if (items.length === limit) return { items, nextCursor: next ?? null };
      next = position;
      const view = await show(value);
      if (view !== undefined) items.push(view);
    }
    if (part.next === undefined) return { items, nextCursor: null };
    next = part.next;
  }
  return { items, nextCursor: next ?? null };
}

const NO_METRICS: HeartbeatMetrics = { errors: null, p95: null, queue: null };

function metricsView({ errors, p95, queue }: HeartbeatMetrics) {
  return { [METRIC_FIELDS.errors]: errors, [METRIC_FIELDS.p95]: p95, [METRIC_FIELDS.queue]: queue };
}

function callerOf(key: string | undefined): string | null {
  return key === undefined ? null : ownerFromKey(key).caller;
}

function markView(mark: AgentMark | undefined): AgentView['blocked'] {
  if (mark === undefined) return null;
  const { at, by, byOperator, reason = null } = mark;
  return { at: isoTime(at), by: callerOf(by), by_operator: byOperator, reason };
}

function alarmView({ alarm, delivery }: AlarmRecord): AlarmView {
  return {
    ...alarm,
    returned_at: alarm.type === 'agent.returned' ? alarm.returned_at : null,
    handoff_ids: alarm.type === 'agent.heartbeat_missed' ? alarm.handoff_ids : [],
    delivery,
  };
}
