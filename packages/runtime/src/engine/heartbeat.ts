import type { Store } from '@parley/store';
import type { Log } from '../log.ts';

const TTL_MILLISECONDS = 15_000;

export interface Heartbeat {
  /** When the store last took a beat, in milliseconds since the epoch. */
  readonly lastBeat: number;
  stop(): void;
  /** Says that this process is gone: what it may still hold is free at once. */
  leave(): Promise<void>;
}

/**
 * Says that this process lives, three times within each lease time, and lets something be done at the same pace: looking
 * for tasks whose process has gone.
 */
export async function startHeartbeat(
  store: Store,
  holder: string,
  log: Log,
  onBeat: () => Promise<void>,
): Promise<Heartbeat> {
  await store.heartbeat(holder, TTL_MILLISECONDS);
  let lastBeat = Date.now();
  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await store.heartbeat(holder, TTL_MILLISECONDS);
      lastBeat = Date.now();
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
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    leave: () => store.heartbeat(holder, 0),
    get lastBeat() {
      return lastBeat;
    },
  };
}
