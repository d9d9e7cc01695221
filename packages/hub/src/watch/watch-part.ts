import { createGuardedClient } from '@holdword/net/internal';
import type { HandoffServices } from '../handoff/handoff-services.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubPart } from '../hub-part.ts';
import { AlarmOutbox, type AlarmTarget } from './alarm-outbox.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { startPeriodicJob, type PeriodicJob } from './start-periodic-job.ts';

const PAGE = 100;

/** The watch over agents that do not come: an alarm, and their open tasks for somebody else. */
export function watchPart(heartbeats: Heartbeats, services: HandoffServices): HubPart {
  const { watchSeconds, alarms } = services.context.settings;
  if (watchSeconds === 0) return {};
  const delivery = alarms && startDelivery(services, alarms);
  const watch = startPeriodicJob({
    everyMilliseconds: watchSeconds * 1_000,
    run: () => watchOnce(heartbeats, services, delivery?.outbox),
    failure: 'Agents that miss their cadence were not looked for; the next round tries again.',
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
  let looked: number;
  do {
    looked = await heartbeats.takeMissed(PAGE, (missed) => raiseAlarm(services, missed, outbox));
  } while (looked === PAGE);
}

/** In rounds of its own: a receiver that is slow keeps nobody from being missed. */
function startDelivery(
  { context }: HandoffServices,
  target: AlarmTarget,
): PeriodicJob & { readonly outbox: AlarmOutbox } {
  const { store, now, log, settings } = context;
  // The operator typed the address, so it may be a private one.
  const client = createGuardedClient({ trustedOrigins: [new URL(target.url).origin] });
  const outbox = new AlarmOutbox({ store, target, client, now, log });
  const job = startPeriodicJob({
    everyMilliseconds: settings.watchSeconds * 1_000,
    run: (signal) => outbox.deliverDue(signal),
    failure: 'Alarms were not sent; the next round tries again.',
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
