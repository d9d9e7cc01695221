import type { PushOutbox } from '../push/push-outbox.ts';
import type { PushTarget } from '../push/push-targets.ts';
import type { StartedTurn } from '../engine/turns.ts';

/**
 * Starts a turn whose events go to a push target. The target is committed first: whenever the process dies, there is no
 * task whose sender expects notifications and gets none (J11). The target is removed again if no task comes of it.
 */
export async function beginWithTarget(
  push: PushOutbox,
  target: PushTarget,
  begin: () => Promise<StartedTurn>,
): Promise<StartedTurn> {
  const known = await push.records.find(target);
  const rollBack = async (): Promise<void> => {
    if (known === undefined) await push.remove(target);
  };
  await push.add(target);
  try {
    const started = await begin();
    if ('message' in started) await rollBack();
    return started;
  } catch (error) {
    await rollBack();
    throw error;
  }
}
