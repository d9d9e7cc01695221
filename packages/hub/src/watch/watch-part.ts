import { createGuardedClient } from '@holdword/net';
import type { HandoffDesk } from '../handoff/handoff-desk.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubPart } from '../hub-part.ts';
import { AlarmOutbox, type AlarmTarget } from './alarm-outbox.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { startRounds, type Rounds } from './start-rounds.ts';

const PAGE = 100;

/** The watch over agents that do not come: an alarm, and their open tasks for somebody else. */
export function watchPart(heartbeats: Heartbeats, desk: HandoffDesk): HubPart {
  const { watchSeconds, alarms } = desk.context.settings;
  if (watchSeconds === 0) return {};
  const delivery = alarms && startDelivery(desk, alarms);
  const watch = startRounds({
    everyMilliseconds: watchSeconds * 1_000,
    round: () => watchOnce(heartbeats, desk, delivery?.outbox),
    failure: 'Agents that miss their cadence were not looked for; the next round tries again.',
    log: desk.context.log,
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
  desk: HandoffDesk,
  outbox: AlarmOutbox | undefined,
): Promise<void> {
  let looked: number;
  do {
    looked = await heartbeats.takeMissed(PAGE, (missed) => raiseAlarm(desk, missed, outbox));
  } while (looked === PAGE);
}

/** In rounds of its own: a receiver that is slow keeps nobody from being missed. */
function startDelivery(
  { context }: HandoffDesk,
  target: AlarmTarget,
): Rounds & { readonly outbox: AlarmOutbox } {
  const { store, now, log, settings } = context;
  // The operator typed the address, so it may be a private one.
  const client = createGuardedClient({ trustedOrigins: [new URL(target.url).origin] });
  const outbox = new AlarmOutbox({ store, target, client, now, log });
  const rounds = startRounds({
    everyMilliseconds: settings.watchSeconds * 1_000,
    round: (signal) => outbox.deliverDue(signal),
    failure: 'Alarms were not sent; the next round tries again.',
    log,
  });
  return {
    outbox,
    stop: async () => {
      await rounds.stop();
      client.close();
    },
  };
}
