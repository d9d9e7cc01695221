/**
 * The settings of a server: what a setting is called, which values it takes, what it means, its default, and how the command
 * line and the environment give it stand here once. `holdword.config.json` is checked with this schema; its JSON schema, the
 * help and the reference are made from it.
 */
import { isAllowEntry } from '@holdword/net/internal';
import {
  AGENT_KINDS,
  DEFAULT_GRACE_MILLISECONDS,
  DEFAULT_HOST,
  DEFAULT_LIMITS,
  DEFAULT_MINIMUM_FREE_BYTES,
  DEFAULT_PORT,
  DEFAULT_PUSH_OPTIONS,
  DEFAULT_RUNTIME_OPTIONS,
  DEFAULT_V03_BLOCKING,
  DEFAULT_WAIT_MILLISECONDS,
  DEFAULT_WORKER_LEASE_MILLISECONDS,
  findAgentKind,
  flag,
  integer,
  listOf,
  path,
  settings,
  text,
} from '@holdword/runtime/internal/settings';
import { z } from 'zod';
import { authenticationSettings, corsSettings } from './access-settings.ts';
import { cardSettings } from './card-settings.ts';
import { hubOptions } from './hub-options.ts';
import { commandLine, object, oneOf, webAddress, type DefaultContext } from './setting-parts.ts';
import { databaseUrlIn, STORE_KINDS, storeSetting } from './store-setting.ts';

export const LOG_LEVELS = ['error', 'warn', 'info'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const DEFAULT_LOG_LEVEL: LogLevel = 'warn';

const LOG_FORMATS = ['text', 'json'] as const;

/** The default agent of the hub. */
export const RESPONDER = 'responder';

/** Whether `--agent` is the path of a module. The command after `exec:` can contain paths as well. */
export function isModulePath(agent: string): boolean {
  return findAgentKind(agent) === undefined && /[/\\]|\.[cm]?[jt]s$/.test(agent);
}

export function defaultLogFormat({ errorsAreWatched }: Pick<DefaultContext, 'errorsAreWatched'>) {
  return errorsAreWatched ? 'text' : 'json';
}

const port = integer('a port number', 0, 65_535);
const hours = integer('a number of hours', 1, 876_000);

const limits = object({
  bodyBytes: integer('a number of bytes', 1024, 1_073_741_824)
    .default(DEFAULT_LIMITS.bodyBytes)
    .describe('Maximum size of a request body.'),
  concurrentTurns: integer('a number of turns', 1, 100_000)
    .default(DEFAULT_RUNTIME_OPTIONS.maxConcurrentTurns)
    .describe('Maximum number of turns that run at once; further turns are queued.'),
  queuedTurns: integer('a number of turns', 0, 1_000_000)
    .default(DEFAULT_RUNTIME_OPTIONS.maxQueuedTurns)
    .describe('Maximum number of queued turns; further messages are rejected with 429.'),
  reservedPercent: integer('a percentage', 0, 90)
    .default(DEFAULT_RUNTIME_OPTIONS.reservedPercent)
    .describe(
      'Percentage of turns, queue, streams and push deliveries that is kept for callers who use less than 1 % of them.',
    ),
  tasksPerCaller: integer('a number of tasks', 0, 1_000_000_000)
    .default(DEFAULT_RUNTIME_OPTIONS.maxTasksPerCaller)
    .describe('Maximum number of stored tasks per authenticated caller; 0 for no limit.'),
  storedBytesPerCaller: integer('a number of bytes', 0, Number.MAX_SAFE_INTEGER)
    .default(DEFAULT_RUNTIME_OPTIONS.maxStoredBytesPerCaller)
    .describe('Maximum size of the stored tasks of one authenticated caller; 0 for no limit.'),
  eventBytes: integer('a number of bytes', 1024, 1_073_741_824)
    .default(DEFAULT_RUNTIME_OPTIONS.maxEventBytes)
    .describe('Maximum size of an event that an agent writes.'),
  taskBytes: integer('a number of bytes', 1_048_576, 1_099_511_627_776)
    .default(DEFAULT_RUNTIME_OPTIONS.maxTaskBytes)
    .describe(
      'Maximum size of all events of a task, counted in characters; a task that would exceed it fails.',
    ),
  requestsPerMinute: integer('a number of requests', 0, 100_000_000)
    .default(DEFAULT_LIMITS.requestsPerMinute)
    .describe('Rate limit per authenticated caller; 0 for no limit.'),
  streams: integer('a number of streams', 1, 1_000_000)
    .default(DEFAULT_LIMITS.streams)
    .describe('Maximum number of open streams and waiting requests for a task, and of blocking requests.'),
  streamsPerCaller: integer('a number of streams', 1, 1_000_000)
    .default(DEFAULT_LIMITS.streamsPerCaller)
    .describe(
      'Maximum number of open streams and waiting requests for a task, and of blocking requests, per authenticated caller.',
    ),
  stalledStreamSeconds: integer('a number of seconds', 1, 86_400)
    .default(DEFAULT_LIMITS.stalledStreamSeconds)
    .describe('A stream whose client reads nothing for this long is closed.'),
  longPollSeconds: integer('a number of seconds', 1, 3600)
    .default(DEFAULT_LIMITS.longPollSeconds)
    .describe('How long a request for a task may wait for a change of it (A2A 1.1).'),
  connections: integer('a number of connections', 1, 1_000_000)
    .default(DEFAULT_LIMITS.connections)
    .describe('Maximum number of open connections, on the HTTP port and on the gRPC port each.'),
  headSeconds: integer('a number of seconds', 1, 3600)
    .default(DEFAULT_LIMITS.headSeconds)
    .describe('Time limit for receiving the headers of a request.'),
  requestSeconds: integer('a number of seconds', 1, 3600)
    .default(DEFAULT_LIMITS.requestSeconds)
    .describe('Time limit for receiving a whole request.'),
});

const push = object({
  enabled: flag.default(true).describe('Whether clients can set up push notifications.'),
  allowPrivate: listOf(
    text.refine(isAllowEntry, {
      error: 'expected an IP range such as 10.0.0.0/8, an IP address or a host name',
    }),
  )
    .default([])
    .describe(
      'IP ranges, addresses and hosts in private networks that can be notified, over http as well. Link-local and cloud metadata addresses stay refused.',
    ),
  concurrency: integer('a number of requests', 1, 10_000)
    .default(DEFAULT_PUSH_OPTIONS.concurrency)
    .describe('Maximum number of concurrent deliveries.'),
  targetsPerTask: integer('a number of targets', 1, 10_000)
    .default(DEFAULT_PUSH_OPTIONS.targetsPerTask)
    .describe('Maximum number of push configurations of one task.'),
  targetsPerCaller: integer('a number of targets', 1, 10_000_000)
    .default(DEFAULT_PUSH_OPTIONS.targetsPerCaller)
    .describe(
      'Maximum number of push configurations of one authenticated caller with undelivered or expected events.',
    ),
  timeoutSeconds: integer('a number of seconds', 1, 300)
    .default(DEFAULT_PUSH_OPTIONS.timeoutMilliseconds / 1_000)
    .describe('Timeout of a delivery.'),
  longestPauseSeconds: integer('a number of seconds', 1, 86_400)
    .default(DEFAULT_PUSH_OPTIONS.longestPauseMilliseconds / 1_000)
    .describe('Maximum delay between two attempts.'),
  deadLetterHours: integer('a number of hours', 1, 8760)
    .default(DEFAULT_PUSH_OPTIONS.deadLetterMilliseconds / 3_600_000)
    .describe('How long to retry an event before its target is marked dead.'),
  signingKeyFile: path
    .optional()
    .describe('File with the private key that signs notifications, as a JSON Web Key.')
    .register(settings, { defaultText: 'a key that the server creates and keeps in the store' }),
});

/** All options are optional here: a required one can also follow the name, as in `--agent exec:"wc -w"`. */
const agentOptions = object(
  Object.fromEntries(
    AGENT_KINDS.map(({ name, summary, options }) => [
      name,
      options.partial().optional().describe(`Options of the agent ${name}: ${summary}.`),
    ]),
  ),
);

/** All settings of a server. Those without a default that the schema knows are required; `resolveConfig` fills them in. */
export const configSchema = object({
  $schema: z.string().optional().describe('URL or path of this schema, for editors. Holdword ignores it.'),
  host: text
    .default(DEFAULT_HOST)
    .describe('Address to listen on.')
    .register(commandLine, { option: 'host', value: 'ADDRESS', environment: 'HOLDWORD_HOST' }),
  port: port
    .default(DEFAULT_PORT)
    .describe('HTTP port; 0 picks a free port.')
    .register(commandLine, { option: 'port', value: 'N', environment: 'HOLDWORD_PORT' }),
  grpcPort: z
    .union([port, z.literal('off')], { error: 'expected a port number from 0 to 65535 or "off"' })
    .describe('gRPC port; 0 picks a free port, "off" disables gRPC.')
    .register(settings, { defaultText: 'the HTTP port + 1' })
    .register(commandLine, {
      option: 'grpc-port',
      value: 'N|off',
      environment: 'HOLDWORD_GRPC_PORT',
      defaultFor: ({ port: http }) => (http === 0 || http === 65_535 ? 0 : http + 1),
    }),
  publicUrl: webAddress
    .refine((url) => !/[?#]/.test(url), { error: 'expected a URL without query and fragment' })
    .optional()
    .describe('Public URL of the HTTP port, if the server is behind a proxy.')
    .register(commandLine, { option: 'public-url', value: 'URL', environment: 'HOLDWORD_PUBLIC_URL' }),
  publicGrpcAddress: z
    .string()
    .regex(/^[^\s/]+:\d{1,5}$/, { error: 'expected an address of the form host:port' })
    .optional()
    .describe('Public address of the gRPC port (host:port), if the server is behind a proxy.')
    .register(commandLine, {
      option: 'public-grpc-address',
      value: 'HOST:PORT',
      environment: 'HOLDWORD_PUBLIC_GRPC_ADDRESS',
    }),
  agent: text
    .default('demo')
    .describe(
      'Agent to serve: a name such as openclaw, or the path of a module that default-exports an executor.',
    )
    .register(settings, { isPath: isModulePath })
    .register(commandLine, { option: 'agent', value: 'AGENT', environment: 'HOLDWORD_AGENT' }),
  agentOptions: agentOptions
    .prefault({})
    .describe('Options of agents that are served by name, by that name.'),
  hub: flag
    .default(false)
    .describe('Also serve a hub: identities, sessions, heartbeats and hand-off for agents.')
    .register(commandLine, { option: 'hub', environment: 'HOLDWORD_HUB' }),
  hubOptions: hubOptions.prefault({}).describe('Options of the hub.'),
  hostAgents: flag
    .default(false)
    .describe('Also serve agents that connect to this server, at /agents/NAME.')
    .register(commandLine, { option: 'host-agents', environment: 'HOLDWORD_HOST_AGENTS' }),
  hostedAgents: object({
    waitSeconds: integer('a number of seconds', 0, 31_536_000)
      .default(DEFAULT_WAIT_MILLISECONDS / 1_000)
      .describe('How long a task waits for an agent that is offline or busy before it fails.'),
    workerLeaseSeconds: integer('a number of seconds', 2, 3600)
      .default(DEFAULT_WORKER_LEASE_MILLISECONDS / 1_000)
      .describe('How long a worker may be silent before its turns are taken from it.'),
  })
    .prefault({})
    .describe('Agents that connect to this server.'),
  console: object({
    enabled: flag
      .default(true)
      .describe('Whether the console is served at /console.')
      .register(commandLine, { option: 'console', environment: 'HOLDWORD_CONSOLE' }),
    allowPrivate: listOf(
      text.refine(isAllowEntry, {
        error: 'expected an IP range such as 10.0.0.0/8, an IP address or a host name',
      }),
    )
      .default([])
      .describe(
        'IP ranges, addresses and hosts in private networks that the console may call agents at. Link-local and cloud metadata addresses stay refused.',
      ),
  })
    .prefault({})
    .describe('Console: a page that shows tasks, agents and the server, and its API.'),
  data: path
    .default('.holdword')
    .describe('Data folder.')
    .register(commandLine, { option: 'data', value: 'DIR', environment: 'HOLDWORD_DATA' }),
  store: storeSetting
    .describe(`Where to store tasks: ${STORE_KINDS.join(', ')}, or a postgres:// URL.`)
    .register(settings, { defaultText: 'DATABASE_URL if it is a postgres:// URL, otherwise sqlite' })
    .register(commandLine, {
      option: 'store',
      value: 'STORE',
      environment: 'HOLDWORD_STORE',
      defaultFor: ({ environment }) => databaseUrlIn(environment) ?? 'sqlite',
    }),
  storeSchema: text
    .default('holdword')
    .describe('PostgreSQL schema that holds the tables.')
    .register(commandLine, { option: 'store-schema', value: 'NAME', environment: 'HOLDWORD_STORE_SCHEMA' }),
  leaseSeconds: integer('a number of seconds', 2, 3600)
    .default(DEFAULT_RUNTIME_OPTIONS.leaseMilliseconds / 1_000)
    .describe(
      'Lease time of a server that shares a database. After this time, other servers take over the tasks of a server that died.',
    ),
  card: cardSettings,
  authentication: authenticationSettings,
  cors: corsSettings,
  v03Blocking: flag
    .default(DEFAULT_V03_BLOCKING)
    .describe(
      'Whether A2A 0.3 clients that send without `blocking` wait for the result; if false, they get the task at once.',
    ),
  omitRepeatedText: flag
    .default(DEFAULT_RUNTIME_OPTIONS.omitRepeatedText)
    .describe(
      'Whether the last message of a task is left out if its text is that of an artifact, for clients that show both.',
    ),
  limits: limits.prefault({}).describe('Limits of this server.'),
  metrics: object({
    enabled: flag.default(true).describe('Whether /metrics is served.'),
    public: flag.default(false).describe('Whether /metrics is served without authentication.'),
  })
    .prefault({})
    .describe('Metrics for Prometheus.'),
  audit: object({
    enabled: flag.default(true).describe('Whether the audit log is written.'),
    file: path
      .optional()
      .describe('Path of the audit log.')
      .register(settings, { defaultText: 'audit.jsonl in the data folder' }),
  })
    .prefault({})
    .describe('Audit log: one line for every state change of a task and every rejected request.'),
  retention: object({
    maxAgeHours: hours
      .optional()
      .describe('Delete tasks that ended longer ago.')
      .register(settings, { defaultText: 'never' }),
    maxEndedTasks: integer('a number of tasks', 1, 1_000_000_000)
      .optional()
      .describe('How many ended tasks to keep per owner; older ones are deleted.')
      .register(settings, { defaultText: 'all' }),
    compactAfterHours: hours
      .optional()
      .describe('Replace the events of tasks that ended longer ago with a snapshot of the task.')
      .register(settings, { defaultText: 'never' }),
  })
    .prefault({})
    .describe('Retention of ended tasks.'),
  minimumFreeBytes: integer('a number of bytes', 0, Number.MAX_SAFE_INTEGER)
    .default(DEFAULT_MINIMUM_FREE_BYTES)
    .describe('With less free disk space for the data, /readyz reports not ready.'),
  push: push.prefault({}).describe('Push notifications.'),
  graceSeconds: integer('a number of seconds', 0, 3600)
    .default(DEFAULT_GRACE_MILLISECONDS / 1_000)
    .describe('How long running turns may take to finish after Ctrl-C.')
    .register(commandLine, { option: 'grace', value: 'DURATION', environment: 'HOLDWORD_GRACE' }),
  logLevel: oneOf(LOG_LEVELS)
    .default(DEFAULT_LOG_LEVEL)
    .describe('Least severe level to log to stderr.')
    .register(commandLine, {
      option: 'log-level',
      value: LOG_LEVELS.join('|'),
      environment: 'HOLDWORD_LOG_LEVEL',
    }),
  logFormat: oneOf(LOG_FORMATS)
    .describe('Format of the log.')
    .register(settings, { defaultText: 'text on a terminal, otherwise json' })
    .register(commandLine, {
      option: 'log-format',
      value: LOG_FORMATS.join('|'),
      environment: 'HOLDWORD_LOG_FORMAT',
      defaultFor: defaultLogFormat,
    }),
});

/** The settings that a file, or a caller, may give: nothing is required. */
export const givenConfigSchema = configSchema.partial();

/** Every setting. Undefined stands where the absence of a setting means something. */
export type Config = z.output<typeof configSchema>;
export type GivenConfig = z.input<typeof givenConfigSchema>;
