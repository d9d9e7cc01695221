import type { HandoffServices } from '../handoff/handoff-access.ts';
import type { MissedAgent } from '../heartbeats/heartbeats.ts';
import { controllerOf } from '../identity/identity.ts';
import { isoTime } from '../wire/times.ts';
import type { AlarmOutbox } from './alarm-outbox.ts';
import { offerTasksOfMissing } from './offer-tasks-of-missing.ts';

/** Reports a missing agent to the operator and offers its open tasks. Idempotent: repeating it raises the same alarm. */
export async function raiseAlarm(
  services: HandoffServices,
  missed: MissedAgent,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  const { identities, settings, log } = services.context;
  const { agentId, lastSeenAt, noticedAt, cadenceSeconds } = missed;
  const agent = await identities.find(agentId);
  if (agent === undefined) return;
  const handoffIds = settings.offerTasksOfMissing ? await offerTasksOfMissing(services, agent, missed) : [];
  log.warn('Agent missed its heartbeat.', { agentId, lastSeenAt: isoTime(lastSeenAt), handoffIds });
  await outbox?.add({
    type: 'agent.heartbeat_missed',
    alarm_id: `${agentId}-${lastSeenAt}`,
    agent_id: agentId,
    controller_id: controllerOf(agent) ?? null,
    last_seen_at: isoTime(lastSeenAt),
    noticed_at: isoTime(noticedAt),
    cadence_seconds: cadenceSeconds,
    handoff_ids: handoffIds,
  });
}
