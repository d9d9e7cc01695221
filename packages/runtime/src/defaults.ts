/**
 * The defaults of options that users can set. They stand here once, apart from the code that uses them, so that programs can
 * show them without loading it. The options' `@default` tags repeat them; a test compares the two.
 */
export const DEFAULT_RUNTIME_OPTIONS = {
  maxConcurrentTurns: 100,
  maxQueuedTurns: 1_000,
  reservedPercent: 25,
  maxTasksPerCaller: 0,
  maxStoredBytesPerCaller: 0,
  maxAttempts: 3,
  maxEventBytes: 16 * 1024 * 1024,
  maxTaskBytes: 128 * 1024 * 1024,
  leaseMilliseconds: 15_000,
  includeSequence: true,
  omitRepeatedText: false,
} as const;

export const DEFAULT_PUSH_OPTIONS = {
  concurrency: 64,
  targetsPerTask: 100,
  targetsPerCaller: 10_000,
  timeoutMilliseconds: 10_000,
  longestPauseMilliseconds: 5 * 60_000,
  deadLetterMilliseconds: 24 * 3_600_000,
} as const;

export const DEFAULT_LIMITS = {
  bodyBytes: 1024 * 1024,
  keepAliveSeconds: 15,
  requestsPerMinute: 60_000,
  streams: 20_000,
  streamsPerCaller: 2_000,
  reservedPercent: 25,
  stalledStreamSeconds: 120,
  longPollSeconds: 30,
  connections: 25_000,
  headSeconds: 20,
  requestSeconds: 60,
} as const;

/** Where a server listens: only callers on this machine can reach it. */
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 4310;

/** As in 1.0: a send waits unless it says otherwise. */
export const DEFAULT_V03_BLOCKING = true;

/** How long running turns and requests may take when a server stops. */
export const DEFAULT_GRACE_MILLISECONDS = 5_000;

/** Agents that connect: how long a worker may be silent, and how long a task waits for one. */
export const DEFAULT_WORKER_LEASE_MILLISECONDS = 30_000;
export const DEFAULT_WAIT_MILLISECONDS = 24 * 3_600_000;

/** With less free space on the disk of its data, a server is not ready. */
export const DEFAULT_MINIMUM_FREE_BYTES = 64 * 1024 * 1024;

/** Of agents that are programs; the time limit is that of all agents. */
export const DEFAULT_PROGRAM_OPTIONS = {
  timeoutMilliseconds: 300_000,
  graceMilliseconds: 2_000,
  maxOutputBytes: 16 * 1024 * 1024,
  maxProcesses: 16,
} as const;

export const DEFAULT_OPENAI_OPTIONS = {
  baseUrl: 'https://api.openai.com/v1',
  maxHistory: 50,
  images: false,
} as const;

export const DEFAULT_OPENCLAW_OPTIONS = {
  openclawPath: 'openclaw',
  maxFileBytes: 8 * 1024 * 1024,
} as const;

/** As in the Python adapter, whose options OpenClawAgentAdapter has. */
export const DEFAULT_ADAPTER_THINKING = 'low';
