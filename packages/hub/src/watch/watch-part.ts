import { createGuardedClient } from '@holdword/net/internal';
import type { HandoffServices } from '../handoff/handoff-access.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubPart } from '../hub-part.ts';
import type { AlarmTarget } from '../hub-settings.ts';
import { AlarmOutbox } from './alarm-outbox.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { startPeriodicJob, type PeriodicJob } from './start-periodic-job.ts';

const PAGE = 100;

/** Checks for missing agents: raises an alarm and offers their open tasks to other agents. */
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
    checked = await heartbeats.takeMissed(PAGE, (missed) => raiseAlarm(services, missed, outbox));
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
  const outbox = new AlarmOutbox({ store, target, client, now, log });
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
