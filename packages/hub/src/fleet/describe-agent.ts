import type { JsonObject } from '@holdword/protocol';
import { listOpenTasks } from '../handoff/offer-task.ts';
import type { HeartbeatSeries } from '../heartbeats/heartbeat-series.ts';
import { metricFields } from '../heartbeats/mcp-bundle.ts';
import { recommendCadence } from '../heartbeats/recommend-cadence.ts';
import type { AgentRecord } from '../identity/identity.ts';
import { isoTime } from '../wire/times.ts';
import type { FleetServices } from './fleet-services.ts';

const SESSIONS_SHOWN = 3;
const TASKS_SHOWN = 10;

/** Describes an agent to its controller: health, sessions and open tasks. */
export async function describeAgent(services: FleetServices, agent: AgentRecord): Promise<JsonObject> {
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
    heartbeats: series?.count ?? 0,
    figures: last === undefined ? {} : metricFields(last),
    due_at: series === undefined ? null : isoTime(series.dueAt),
  };
}

function healthOf(series: HeartbeatSeries | undefined): 'unknown' | 'missing' | 'incident' | 'steady' {
  if (series === undefined) return 'unknown';
  return series.missed === undefined ? recommendCadence(series.samples).mode : 'missing';
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
