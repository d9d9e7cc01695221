import type { JsonObject } from '@holdword/protocol';
import type { HandoffServices } from '../handoff/handoff-access.ts';
import { viewNow } from '../handoff/handoff-view.ts';
import { listOpenTasks } from '../handoff/offer-task.ts';
import { lastSeenAt, metricFields, type HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import { healthOf, type Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubPart } from '../hub-part.ts';
import { controllerOf, type AgentRecord, type Identity } from '../identity/identity.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubMethod, HubRoute } from '../wire/hub-method.ts';
import { isoTime } from '../wire/times.ts';

const DEFAULT_LIMIT = 50;
const MAX_AGENTS = 100;

/** What the fleet view reads from. */
interface FleetServices extends HandoffServices {
  readonly heartbeats: Heartbeats;
}

/** Fleet: shows a controller the sessions, health and open hand-offs of its own agents. */
export function fleetPart(services: FleetServices): HubPart {
  return { methods: [statusMethod(services)], routes: [statusRoute(services)] };
}

function statusMethod(services: FleetServices): HubMethod {
  return {
    name: 'fleet/status',
    spec: {
      description:
        'Shows the agents controlled by the caller: sessions, health, open tasks and open hand-offs.',
      required: [],
      accepts: ['limit', 'after'],
    },
    async handle(params, requestContext) {
      const controller = await services.context.identities.require(requestContext, params);
      return readFleet(services, controller, readPage(params['limit'], params['after']));
    },
  };
}

function statusRoute(services: FleetServices): HubRoute {
  return {
    verb: 'GET',
    path: HUB_PATHS.fleet,
    description: 'The agents controlled by the caller and their open hand-offs. Send the identity headers.',
    query: {
      limit: `Maximum number of agents, up to ${MAX_AGENTS}. Default: ${DEFAULT_LIMIT}.`,
      after: 'next_after of the previous page.',
    },
    async answer({ requestContext, query }) {
      const controller = await services.context.identities.require(requestContext, {});
      const limit = query.get('limit');
      const page = readPage(limit === null ? undefined : Number(limit), query.get('after'));
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: await readFleet(services, controller, page),
      };
    },
  };
}

function readPage(limit: unknown, after: unknown): FleetPage {
  const chosen = limit ?? DEFAULT_LIMIT;
  if (typeof chosen !== 'number' || !Number.isInteger(chosen) || chosen < 1 || chosen > MAX_AGENTS) {
    const hint = 'Omit limit, or use a smaller one and page with after.';
    throw invalidParameter('limit', `an integer from 1 to ${MAX_AGENTS}`, limit, hint);
  }
  if (after !== undefined && after !== null && typeof after !== 'string')
    throw invalidParameter('after', 'next_after of the previous page', after);
  return { limit: chosen, after: after === '' ? undefined : (after ?? undefined) };
}

interface FleetPage {
  readonly limit: number;
  /** Id of the last agent on the previous page. */
  readonly after: string | undefined;
}

const HANDOFFS_SHOWN = 50;

/** Reads one page of the agents whose controller has confirmed them, and their open hand-offs. */
async function readFleet(
  services: FleetServices,
  controller: Identity,
  page: FleetPage,
): Promise<JsonObject> {
  const { agentId: controllerId, agent: viewer } = controller;
  const named = await services.context.identities.ofController(controllerId, page);
  const own = named.filter((agent) => controllerOf(agent) === controllerId);
  const { handoffs } = await services.handoffs.listOpen([`of-controller:${controllerId}`], {
    limit: HANDOFFS_SHOWN,
  });
  return {
    controller_id: controllerId,
    agents: await Promise.all(own.map((agent) => describeAgent(services, agent))),
    next_after: named.length < page.limit ? null : (named.at(-1)?.agentId ?? null),
    open_handoffs: await Promise.all(handoffs.map((handoff) => viewNow(services, handoff, viewer))),
  };
}

const SESSIONS_SHOWN = 3;
const TASKS_SHOWN = 10;

/** Describes an agent to its controller: health, sessions and open tasks. */
async function describeAgent(services: FleetServices, agent: AgentRecord): Promise<JsonObject> {
  const { agentId } = agent;
  const [series, sessions, tasks] = await Promise.all([
    services.heartbeats.read(agentId),
    services.context.sessions.list(agentId, SESSIONS_SHOWN),
    openTasks(services, agentId),
  ]);
  return {
    agent_id: agentId,
    agent_name: agent.agentName,
    skills: agent.skills ?? [],
    first_seen_at: isoTime(agent.firstSeenAt),
    ...healthFields(series),
    sessions: sessions.map((session) => ({
      session_id: session.sessionId,
      started_at: isoTime(session.startedAt),
      last_used_at: isoTime(session.lastUsedAt),
      is_active: services.context.sessions.isActive(session),
    })),
    open_tasks: tasks,
  };
}

function healthFields(series: HeartbeatSeries | undefined): JsonObject {
  const last = series?.samples.at(-1);
  return {
    health: healthOf(series),
    last_heartbeat_at: last === undefined ? null : isoTime(last.at),
    last_seen_at: series === undefined ? null : isoTime(lastSeenAt(series)),
    heartbeats: series?.count ?? 0,
    cadence_seconds: series?.cadenceSeconds ?? null,
    figures: last === undefined ? {} : metricFields(last),
    due_at: series === undefined ? null : isoTime(series.dueAt),
  };
}

async function openTasks({ context }: FleetServices, agentId: string): Promise<JsonObject[]> {
  const tasks = await listOpenTasks(context.store, agentId, TASKS_SHOWN);
  return tasks.map(({ taskId, contextId, state, statusTime }) => ({
    task_id: taskId,
    session_id: contextId,
    state,
    since: isoTime(statusTime),
  }));
}
