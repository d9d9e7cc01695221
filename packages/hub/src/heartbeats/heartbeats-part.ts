import { createGuardedClient } from '@parley/net';
import { isoTime } from '../contracts/session-fields.ts';
import { controllerOf } from '../handoff/handoff-access.ts';
import type { HandoffDesk } from '../handoff/handoff-desk.ts';
import { offerTasksOfMissing } from '../handoff/offer-tasks-of-missing.ts';
import type { HubContext } from '../hub-context.ts';
import type { HubPart } from '../hub-part.ts';
import { AlarmOutbox } from './alarm-outbox.ts';
import { cadenceFields } from './cadence-fields.ts';
import { heartbeatBundle } from './heartbeat-bundle.ts';
import type { Heartbeats, MissedAgent } from './heartbeats.ts';
import { startWatch, type Watch } from './start-watch.ts';

/** Heartbeats: the method, the cadence in the answer to a message, and the watch over those who do not come. */
export function heartbeatsPart(context: HubContext, heartbeats: Heartbeats, desk: HandoffDesk): HubPart {
  const watch = context.settings.watchSeconds > 0 ? startAlarms(context, heartbeats, desk) : undefined;
  return {
    methods: [heartbeatBundle(context, heartbeats)],
    enrich: async ({ identity }) => cadenceFields(await heartbeats.read(identity.agentId), context.now()),
    close: async () => watch?.stop(),
  };
}

function startAlarms(context: HubContext, heartbeats: Heartbeats, desk: HandoffDesk): Watch {
  const { store, now, log, settings } = context;
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
