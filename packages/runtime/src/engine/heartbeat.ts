import type { Store } from '@parley/store';
import type { Log } from '../log.ts';

const TTL_MILLISECONDS = 15_000;

/**
 * Says that this process lives, three times within each lease time, and lets something be done at the same pace: looking
 * for tasks whose process has gone.
 */
export async function startHeartbeat(
  store: Store,
  holder: string,
  log: Log,
  onBeat: () => Promise<void>,
): Promise<{ stop(): void }> {
  await store.heartbeat(holder, TTL_MILLISECONDS);
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await store.heartbeat(holder, TTL_MILLISECONDS);
      await onBeat();
    } catch (error) {
      log.error('The heartbeat failed; other processes may take over this one’s tasks.', {
        error: String(error),
      });
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), TTL_MILLISECONDS / 3);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
