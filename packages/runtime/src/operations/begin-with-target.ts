import type { PushOutbox } from '../push/push-outbox.ts';
import type { PushTarget } from '../push/push-target.ts';
import type { StartedTurn } from '../engine/turns.ts';

/**
 * Begins a turn whose events go to a target. The target is on disk first: however early the process dies, no task exists
 * that its sender believes to be notified of and is not (J11). It is taken back when no task comes of it.
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
