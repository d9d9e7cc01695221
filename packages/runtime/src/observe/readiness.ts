import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { withTimeout } from '@holdword/protocol/internal';
import { isStoreError, type Store } from '@holdword/store';
import { DEFAULT_MINIMUM_FREE_BYTES, DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import { errorReason, noopLog, type Log } from '../log.ts';
import { outOfFiles } from './open-files.ts';

/** What a runtime knows about its own state. */
export interface RuntimeHealth {
  readonly stopping: boolean;
  /** Time since the store last accepted a heartbeat of this process. */
  readonly heartbeatAgeMilliseconds: number;
  /** Why the store rejects commits: the latest ones failed, and none has succeeded since. Undefined if it accepts them. */
  readonly commitFailure: string | undefined;
}

/** Whether this process should receive requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { ok: boolean; detail?: string }>>;
}

export interface ReadinessOptions {
  /** Is written to and read from, through the same writer as commits. */
  store: Pick<Store, 'putRecord' | 'getRecord'>;
  health: () => RuntimeHealth;
  /** The folder whose disk must have free space. Without it, no disk is checked. */
  folder?: string | undefined;
  /**
   * The free space that the disk must have.
   * @default 67108864 (64 MiB)
   */
  minimumFreeBytes?: number | undefined;
  /**
   * Without a heartbeat for this long, other processes have taken over this one's tasks.
   * @default 15000
   */
  leaseMilliseconds?: number | undefined;
  /**
   * How long a result is reused, so that frequent probes do not load the disk.
   * @default 1000
   */
  cacheMilliseconds?: number | undefined;
  /**
   * How long the store may take to write and read a record.
   * @default 2000
   */
  timeoutMilliseconds?: number | undefined;
  /** Further conditions, by name. */
  conditions?: Readonly<Record<string, ReadinessCondition>> | undefined;
  /** Is told when the process becomes ready or stops being ready, with the reason. */
  log?: Log | undefined;
}

/** A condition for being ready that the server knows of, such as an agent that is installed. */
export interface ReadinessCondition {
  /** Why it does not hold, for the log. Resolves with undefined if it holds. */
  readonly problem: () => Promise<string | undefined>;
  /** What everybody may know about it, as in "the agent cannot work". */
  readonly detail: string;
}

/** Says whether this process should receive requests, for `/readyz`. */
export type ReadinessCheck = () => Promise<Readiness>;

/**
 * The result of one check. `detail` goes into the response; `error` only into the log, because it may name files and
 * hosts.
 */
interface Check {
  ok: boolean;
  detail?: string;
  error?: unknown;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 2_000;

/** Checks the store, the heartbeat, the disk, and whether the process is stopping. */
export function createReadiness(options: ReadinessOptions): ReadinessCheck {
  const { cacheMilliseconds = 1_000, log = noopLog } = options;
  const probe = new StoreProbe(options);
  let latest: { at: number; result: Promise<Readiness> } | undefined;
  let wasReady = true;

  const run = async (): Promise<Readiness> => {
    const checks = await runChecks(options, probe);
    const ready = Object.values(checks).every(({ ok }) => ok);
    if (ready !== wasReady) logChange(log, checks);
    wasReady = ready;
    return { ready, checks: publicChecks(checks) };
  };

  return () => {
    if (latest === undefined || performance.now() - latest.at >= cacheMilliseconds) {
      latest = { at: performance.now(), result: run() };
    }
    return latest.result;
  };
}

async function runChecks(options: ReadinessOptions, probe: StoreProbe): Promise<Record<string, Check>> {
  const { folder, minimumFreeBytes = DEFAULT_MINIMUM_FREE_BYTES } = options;
  const { leaseMilliseconds = DEFAULT_RUNTIME_OPTIONS.leaseMilliseconds } = options;
  const [store, disk] = await Promise.all([
    probe.check(),
    folder === undefined ? undefined : checkDisk(folder, minimumFreeBytes),
  ]);
  const { stopping, heartbeatAgeMilliseconds, commitFailure } = options.health();
  return {
    running: stopping ? { ok: false, detail: 'the server is stopping' } : { ok: true },
    store:
      store.ok && commitFailure !== undefined
        ? { ok: false, detail: `the store rejects commits: ${commitFailure}` }
        : store,
    heartbeat:
      heartbeatAgeMilliseconds <= leaseMilliseconds
        ? { ok: true }
        : { ok: false, detail: `last written ${Math.round(heartbeatAgeMilliseconds / 1000)} s ago` },
    ...(disk && { disk }),
    ...(outOfFiles() !== undefined && { files: { ok: false, detail: 'too many files are open' } }),
    ...(await checkConditions(options.conditions ?? {})),
  };
}

async function checkConditions(
  conditions: Readonly<Record<string, ReadinessCondition>>,
): Promise<Record<string, Check>> {
  const checks = Object.entries(conditions).map(async ([name, { problem, detail }]) => {
    const error = await problem();
    return [name, error === undefined ? { ok: true } : { ok: false, detail, error }] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}

const NAMESPACE = 'readiness';
const KEY = 'probe';

/**
 * Writes a record and reads it back.
 *
 * Responsible for one probe at a time: a store that hangs is not given more work, however often it is probed.
 */
class StoreProbe {
  readonly #store: ReadinessOptions['store'];
  readonly #timeoutMilliseconds: number;
  /** Processes that share a store share the record. */
  readonly #id = randomUUID();
  #writes = 0;
  #pending: Promise<Check> | undefined;

  constructor({ store, timeoutMilliseconds = DEFAULT_TIMEOUT_MILLISECONDS }: ReadinessOptions) {
    this.#store = store;
    this.#timeoutMilliseconds = timeoutMilliseconds;
  }

  async check(): Promise<Check> {
    this.#pending ??= this.#probe().finally(() => (this.#pending = undefined));
    // The probe never rejects, so only the timeout does.
    return withTimeout(this.#pending, this.#timeoutMilliseconds).catch(() => ({
      ok: false,
      detail: `the store did not respond within ${this.#timeoutMilliseconds / 1000} s`,
    }));
  }

  async #probe(): Promise<Check> {
    const written = `${this.#id} ${++this.#writes}`;
    try {
      await this.#store.putRecord(NAMESPACE, KEY, written);
    } catch (error) {
      return failed('a write failed', error);
    }
    let read: string | undefined;
    try {
      read = await this.#store.getRecord(NAMESPACE, KEY);
    } catch (error) {
      return failed('a read failed', error);
    }
    const isStale = read === undefined || (read !== written && read.startsWith(this.#id));
    return isStale ? { ok: false, detail: 'a record was written and could not be read back' } : { ok: true };
  }
}

/** A StoreError's own message names no path and no host; those are in its cause. */
function failed(what: string, error: unknown): Check {
  return { ok: false, detail: isStoreError(error) ? `${what}: ${error.message}` : what, error };
}

async function checkDisk(folder: string, minimumFreeBytes: number): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free >= minimumFreeBytes) return { ok: true };
    return { ok: false, detail: `${free} bytes are free, at least ${minimumFreeBytes} are required` };
  } catch (error) {
    return { ok: false, detail: 'the free disk space could not be read', error };
  }
}

function publicChecks(checks: Record<string, Check>): Readiness['checks'] {
  return Object.fromEntries(
    Object.entries(checks).map(([name, { ok, detail }]) => [
      name,
      detail === undefined ? { ok } : { ok, detail },
    ]),
  );
}

function logChange(log: Log, checks: Record<string, Check>): void {
  const failures = Object.entries(checks).filter(([, { ok }]) => !ok);
  if (failures.length === 0) {
    // A warning, so that the log shows it wherever it shows that the server was not ready.
    log.warn('The server is ready again.');
    return;
  }
  const isStopping = checks['running']?.ok === false;
  // A server that is told to stop is expected not to be ready.
  if (isStopping) return;
  const reasons = failures.map(([name, { detail, error }]) => [name, error ? errorReason(error) : detail]);
  log.error('The server is not ready.', Object.fromEntries(reasons) as Record<string, string>);
}
