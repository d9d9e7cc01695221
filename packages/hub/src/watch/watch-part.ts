import { createGuardedClient } from '@parley/net';
import { isoTime } from '../contracts/session-fields.ts';
import { controllerOf } from '../handoff/handoff-access.ts';
import type { HandoffDesk } from '../handoff/handoff-desk.ts';
import type { Heartbeats, MissedAgent } from '../heartbeats/heartbeats.ts';
import type { HubPart } from '../hub-part.ts';
import { AlarmOutbox } from './alarm-outbox.ts';
import { offerTasksOfMissing } from './offer-tasks-of-missing.ts';
import { startWatch, type Watch } from './start-watch.ts';

/** The watch over agents that do not come: an alarm, and their open tasks for somebody else. */
export function watchPart(heartbeats: Heartbeats, desk: HandoffDesk): HubPart {
  const watch = desk.context.settings.watchSeconds > 0 ? startAlarms(heartbeats, desk) : undefined;
  return { close: async () => watch?.stop() };
}

function startAlarms(heartbeats: Heartbeats, desk: HandoffDesk): Watch {
  const { store, now, log, settings } = desk.context;
  const { alarms: target, watchSeconds } = settings;
  // The operator typed the address, so it may be a private one.
  const client = target && createGuardedClient({ trustedOrigins: [new URL(target.url).origin] });
  const outbox = target && client && new AlarmOutbox({ store, target, client, now, log });
  const watch = startWatch({
    heartbeats,
    everyMilliseconds: watchSeconds * 1_000,
    log,
    onMissed: (missed) => raiseAlarm(desk, missed, outbox),
    ...(outbox && { afterwards: () => outbox.deliverDue() }),
  });
  return {
    stop: async () => {
      await watch.stop();
      client?.close();
    },
  };
}

async function raiseAlarm(
  desk: HandoffDesk,
  missed: MissedAgent,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  const { context } = desk;
  const { agentId, lastSeenAt, noticedAt, cadenceSeconds } = missed;
  const agent = await context.identities.find(agentId);
  if (agent === undefined) return;
  const offers = context.settings.offerTasksOfMissing;
  const handoffIds = offers ? await offerTasksOfMissing(desk, agent, missed) : [];
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
