import { statfs } from 'node:fs/promises';
import type { Store } from '@holdword/store';

/** Whether this process should get work, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { ok: boolean; detail?: string }>>;
}

export interface ReadinessOptions {
  store: Pick<Store, 'readTask'>;
  /** The runtime's own signs of life. */
  health: () => { stopping: boolean; heartbeatAgeMilliseconds: number };
  /** The folder whose disk must have room; no disk is looked at without one. */
  folder?: string;
  /** 64 MiB unless given. */
  minimumFreeBytes?: number;
  /** After this time without a heartbeat others have taken over this process's tasks; 15 s unless given. */
  leaseMilliseconds?: number;
  /** How long an answer is good for, so that asking often costs nothing; one second unless given. */
  cacheMilliseconds?: number;
}

export type ReadinessCheck = () => Promise<Readiness>;

type Check = { ok: boolean; detail?: string };

const ANSWER_MILLISECONDS = 2_000;
const DEFAULT_LEASE_MILLISECONDS = 15_000;
const DEFAULT_FREE_BYTES = 64 * 1024 * 1024;

/** Looks at the store, the heartbeat, the disk and whether the process is stopping. */
export function createReadiness(options: ReadinessOptions): ReadinessCheck {
  const { cacheMilliseconds = 1_000 } = options;
  let latest: { at: number; answer: Promise<Readiness> } | undefined;
  return () => {
    if (latest === undefined || Date.now() - latest.at >= cacheMilliseconds) {
      latest = { at: Date.now(), answer: check(options) };
    }
    return latest.answer;
  };
}

async function check(options: ReadinessOptions): Promise<Readiness> {
  const { folder, minimumFreeBytes = DEFAULT_FREE_BYTES } = options;
  const { leaseMilliseconds = DEFAULT_LEASE_MILLISECONDS } = options;
  const [store, disk] = await Promise.all([
    checkStore(options.store),
    folder === undefined ? undefined : checkDisk(folder, minimumFreeBytes),
  ]);
  const { stopping, heartbeatAgeMilliseconds } = options.health();
  const checks: Record<string, Check> = {
    running: stopping ? { ok: false, detail: 'the server is stopping' } : { ok: true },
    store,
    heartbeat:
      heartbeatAgeMilliseconds <= leaseMilliseconds
        ? { ok: true }
        : { ok: false, detail: `last written ${Math.round(heartbeatAgeMilliseconds / 1000)} s ago` },
    ...(disk && { disk }),
  };
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

async function checkStore(store: Pick<Store, 'readTask'>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    const detail = `no answer to a read within ${ANSWER_MILLISECONDS / 1000} s`;
    timer = setTimeout(() => resolve({ ok: false, detail }), ANSWER_MILLISECONDS);
  });
  const answered = store.readTask('readiness').then(
    (): Check => ({ ok: true }),
    (): Check => ({ ok: false, detail: 'a read failed' }),
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function checkDisk(folder: string, minimumFreeBytes: number): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free >= minimumFreeBytes) return { ok: true };
    return { ok: false, detail: `expected ${minimumFreeBytes} free bytes, found ${free}` };
  } catch {
    return { ok: false, detail: 'the free space cannot be read' };
  }
}
