import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';

/** Others look for tasks at every beat, so that a process is gone early enough for the next look to be in time. */
const TTL_SHARE = 2 / 3;
const BEATS_WITHIN_TTL = 3;

export interface HeartbeatOptions {
  store: Store;
  holder: string;
  log: Log;
  /** How long after its last beat the tasks of this process are on their way in another one, at the latest. */
  leaseMilliseconds: number;
  onBeat: () => Promise<void>;
}

export interface Heartbeat {
  /** When the store last took a beat, in milliseconds since the epoch. */
  readonly lastBeat: number;
  stop(): void;
  /** Says that this process is gone: what it may still hold is free at once. */
  expire(): Promise<void>;
}

/**
 * Says again and again that this process lives, and lets something be done at the same pace: looking for tasks whose
 * process has gone.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store, holder, log, onBeat } = options;
  const ttlMilliseconds = Math.round(options.leaseMilliseconds * TTL_SHARE);
  await store.heartbeat(holder, ttlMilliseconds);
  let lastBeat = Date.now();
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
      return true;
    } catch (error) {
      log.error('The heartbeat failed; other processes may take over this one’s tasks.', {
        error: String(error),
      });
      return false;
    } finally {
      isWriting = false;
    }
  };
  const act = async (): Promise<void> => {
    // After a gap of its own the store may have been away from everybody: others get the time to say that they live.
    if (isActing || Date.now() - steadySince < ttlMilliseconds) return;
    isActing = true;
    try {
      await onBeat();
    } catch (error) {
      log.error('Tasks of processes that are gone could not be looked for.', { error: String(error) });
    } finally {
      isActing = false;
    }
  };
  // The next beat does not wait for what is done: a process with much to recover must not seem to be gone itself.
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
  };
}
