import { createGuardedClient } from '@holdword/net/internal';
import type { Log } from '@holdword/runtime';
import type { HandoffServices } from '../handoff/handoff-access.ts';
import { findOpenReports, handoffOf, listOpenTasks, offerTask } from '../handoff/offer-task.ts';
import type { HubPart } from '../hub-part.ts';
import type { AlarmTarget } from '../hub-settings.ts';
import { controllerOf, mayAct, type AgentRecord } from '../identity/identity.ts';
import { isoTime } from '../wire/times.ts';
import { AlarmOutbox, type Alarm } from './alarm-outbox.ts';
import { AlarmRecords } from './alarm-records.ts';
import type { Heartbeats, PresenceChange } from './heartbeats.ts';

const PAGE = 100;

/** Checks for missing agents: raises an alarm, also when they return, and offers their open tasks to other agents. */
export function watchPart(heartbeats: Heartbeats, services: HandoffServices): HubPart {
  const { watchSeconds, alarms } = services.context.settings;
  if (watchSeconds === 0) return {};
  const delivery = alarms && startDelivery(services, alarms);
  const watch = startPeriodicJob({
    everyMilliseconds: watchSeconds * 1_000,
    run: () => watchOnce(heartbeats, services, delivery?.outbox),
    failure: 'Could not check for missing agents; the next run tries again.',
    log: services.context.log,
  });
  return {
    close: async () => {
      await watch.stop();
      await delivery?.stop();
    },
  };
}

async function watchOnce(
  heartbeats: Heartbeats,
  services: HandoffServices,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  let checked: number;
  do {
    checked = await heartbeats.takeChanges(PAGE, (change) => raiseAlarm(services, change, outbox));
  } while (checked === PAGE);
}

/** Runs separately from the check, so that a slow receiver does not delay it. */
function startDelivery(
  { context }: HandoffServices,
  target: AlarmTarget,
): PeriodicJob & { readonly outbox: AlarmOutbox } {
  const { store, now, log, settings } = context;
  // The operator configured the URL, so it may be a private address.
  const client = createGuardedClient({ trustedOrigins: [new URL(target.url).origin] });
  const records = new AlarmRecords(store);
  const outbox = new AlarmOutbox({
    store,
    target,
    client,
    now,
    log,
    ended: (alarm, outcome) => records.setDelivery(alarm, outcome),
  });
  const job = startPeriodicJob({
    everyMilliseconds: settings.watchSeconds * 1_000,
    run: (signal) => outbox.deliverDue(signal),
    failure: 'Could not send alarms; the next run tries again.',
    log,
  });
  return {
    outbox,
    stop: async () => {
      await job.stop();
      client.close();
    },
  };
}

/** Reports a change to the operator, and offers the open tasks of a missing agent. Repeating it raises the same alarm. */
async function raiseAlarm(
  services: HandoffServices,
  change: PresenceChange,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  const { identities, settings, log } = services.context;
  const { agentId, lastSeenAt, noticedAt, returnedAt, cadenceSeconds } = change;
  const agent = await identities.find(agentId);
  if (agent === undefined || !mayAct(agent)) return;
  const about = {
    agent_id: agentId,
    controller_id: controllerOf(agent) ?? null,
    last_seen_at: isoTime(lastSeenAt),
    noticed_at: isoTime(noticedAt),
    cadence_seconds: cadenceSeconds,
  };
  const alarmId = `${agentId}-${lastSeenAt}`;
  if (returnedAt !== undefined) {
    log.info('Agent is back.', { agentId, lastSeenAt: isoTime(lastSeenAt), returnedAt: isoTime(returnedAt) });
    const returned_at = isoTime(returnedAt);
    const type = 'agent.returned' as const;
    return recordAlarm(services, { type, alarm_id: `${alarmId}-returned`, ...about, returned_at }, outbox);
  }
  const handoffIds = settings.offerTasksOfMissing ? await offerTasksOfMissing(services, agent, change) : [];
  log.warn('Agent missed its heartbeat.', { agentId, lastSeenAt: isoTime(lastSeenAt), handoffIds });
  const type = 'agent.heartbeat_missed' as const;
  await recordAlarm(services, { type, alarm_id: alarmId, ...about, handoff_ids: handoffIds }, outbox);
}

/** The record comes first: the outbox updates it when the alarm was delivered. */
async function recordAlarm(
  { context }: HandoffServices,
  alarm: Alarm,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  await new AlarmRecords(context.store).add(alarm, outbox === undefined ? 'none' : 'pending');
  await outbox?.add(alarm);
  context.count('alarm', alarm.type);
}

const MAX_TASKS = 20;

/**
 * Offers the open tasks of a missing agent, or else what its sessions report as open, to the other agents of its controller;
 * does nothing without a controller.
 * Idempotent: repeating it returns the same hand-offs.
 */
async function offerTasksOfMissing(
  services: HandoffServices,
  agent: AgentRecord,
  { lastSeenAt }: PresenceChange,
): Promise<string[]> {
  if (controllerOf(agent) === undefined) return [];
  const handoffIds: string[] = [];
  const { store } = services.context;
  const tasks = await listOpenTasks(store, agent.agentId, MAX_TASKS);
  const isReported = tasks.length === 0;
  for (const header of isReported ? await findOpenReports(services, agent.agentId) : tasks) {
    const outcome = await offerTask(services, {
      header,
      reported: isReported,
      agent,
      offeredBy: { kind: 'hub' },
      to: { kind: 'controller' },
      note: `${agent.agentId} missed its heartbeat; it was last seen at ${isoTime(lastSeenAt)}.`,
    });
    const handoff = handoffOf(outcome);
    if (handoff !== undefined) handoffIds.push(handoff.handoffId);
  }
  return handoffIds;
}

export interface PeriodicJobOptions {
  readonly everyMilliseconds: number;
  /** The work of each run; the signal aborts when the job is stopped. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Logged when a run fails; the next run tries again. */
  readonly failure: string;
  readonly log: Log;
}

export interface PeriodicJob {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs a job periodically, without overlapping runs. Does not keep the process alive. */
export function startPeriodicJob({ everyMilliseconds, run, failure, log }: PeriodicJobOptions): PeriodicJob {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= run(stopping.signal)
      .catch((error: unknown) => log.error(failure, { error: String(error) }))
      .finally(() => (running = undefined));
  };
  const timer = setInterval(begin, everyMilliseconds);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
