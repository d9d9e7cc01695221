import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';

/**
 * Other processes scan for orphans at every beat, so a heartbeat expires early enough for the next scan to be in time.
 */
const TTL_SHARE = 2 / 3;
const BEATS_WITHIN_TTL = 3;

export interface HeartbeatOptions {
  store: Store;
  holder: string;
  log: Log;
  /** Other processes have taken over the tasks of this one at the latest this long after its last beat. */
  leaseMilliseconds: number;
  onBeat: () => Promise<void>;
}

export interface Heartbeat {
  /** When the store last accepted a beat, in milliseconds since the epoch. */
  readonly lastBeat: number;
  /** The latest beat was not written: the store does not accept writes at the moment. */
  readonly isFailing: boolean;
  stop(): void;
  /** Expires the heartbeat: other processes may take over at once whatever this one still holds. */
  expire(): Promise<void>;
}

/** Renews this process's heartbeat, and runs `onBeat` at the same interval, which scans for tasks of dead processes. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store, holder, log, onBeat } = options;
  const ttlMilliseconds = Math.round(options.leaseMilliseconds * TTL_SHARE);
  await store.heartbeat(holder, ttlMilliseconds);
  let lastBeat = Date.now();
  let isFailing = false;
  let steadySince = -Infinity;
  let isWriting = false;
  let isActing = false;
  const write = async (): Promise<boolean> => {
    if (isWriting) return false;
    isWriting = true;
    try {
      await store.heartbeat(holder, ttlMilliseconds);
      const now = Date.now();
      if (now - lastBeat > ttlMilliseconds) steadySince = now;
      lastBeat = now;
      isFailing = false;
      return true;
    } catch (error) {
      isFailing = true;
      log.error('Could not write the heartbeat. Other processes may take over the tasks of this one.', {
        error: String(error),
      });
      return false;
    } finally {
      isWriting = false;
    }
  };
  const act = async (): Promise<void> => {
    // After a gap in its own heartbeat, the store may have been unreachable for all: others get time to renew theirs.
    if (isActing || Date.now() - steadySince < ttlMilliseconds) return;
    isActing = true;
    try {
      await onBeat();
    } catch (error) {
      log.error('Could not scan for orphaned tasks.', { error: String(error) });
    } finally {
      isActing = false;
    }
  };
  // The next beat does not wait for `onBeat`: a process with much to recover must not look dead itself.
  const beat = async (): Promise<void> => {
    if (await write()) void act();
  };
  const timer = setInterval(() => void beat(), ttlMilliseconds / BEATS_WITHIN_TTL);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    expire: () => store.heartbeat(holder, 0),
    get lastBeat() {
      return lastBeat;
    },
    get isFailing() {
      return isFailing;
    },
  };
}
