import { flag, integer, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { LOG_LEVELS } from '../terminal/log-to-terminal.ts';
import { agentOptionsSchema } from './agent-options-schema.ts';
import { hubSchema } from './hub-schema.ts';
import { pushSchema } from './push-schema.ts';
import { storeSetting } from './store-setting.ts';
import { baseAddress, webAddress } from './web-address.ts';

export const LOG_FORMATS = ['text', 'json'] as const;

const portNumber = integer('a port number', 0, 65_535);
const hostAndPort = z
  .string()
  .regex(/^[^\s/]+:\d{1,5}$/, { error: 'expected an address of the form host:port' });

const jwtSchema = z
  .strictObject(
    {
      issuer: text.describe('Required value of the `iss` claim.'),
      audience: text.describe('Required value of the `aud` claim.'),
      jwksUrl: webAddress.optional().describe('URL of the JSON Web Key Set of the issuer.'),
      jwksFile: text.optional().describe('File with the public keys of the issuer, as a JSON Web Key Set.'),
      tenantClaim: text
        .optional()
        .describe('Claim that holds the tenant. Default: all callers share one tenant.'),
    },
    { error: 'expected an object with issuer, audience, and jwksUrl or jwksFile' },
  )
  .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.jwksFile === undefined), {
    error: 'expected either jwksUrl or jwksFile',
  });

/** The contents of `holdword.config.json`. The published JSON schema is generated from it. */
export const configSchema = z.strictObject(
  {
    $schema: z.string().optional().describe('URL or path of this schema, for editors. Holdword ignores it.'),
    host: text.optional().describe('Address to listen on. Default: 127.0.0.1.'),
    port: portNumber.optional().describe('HTTP port; 0 picks a free port. Default: 4310.'),
    grpcPort: z
      .union([portNumber, z.literal('off')], {
        error: 'expected a port number from 0 to 65535 or "off"',
      })
      .optional()
      .describe('gRPC port; 0 picks a free port, "off" disables gRPC. Default: the HTTP port + 1.'),
    publicUrl: baseAddress
      .optional()
      .describe('Public URL of the HTTP port, if the server is behind a proxy.'),
    publicGrpcAddress: hostAndPort
      .optional()
      .describe('Public address of the gRPC port (host:port), if the server is behind a proxy.'),
    data: text.optional().describe('Data folder. Default: .holdword.'),
    store: storeSetting
      .optional()
      .describe(
        'Where to store tasks: sqlite, json-file, memory, or a postgres:// URL. Default: DATABASE_URL if it is a postgres:// URL, otherwise sqlite.',
      ),
    storeSchema: text.optional().describe('PostgreSQL schema that holds the tables. Default: holdword.'),
    leaseSeconds: integer('a number of seconds', 2, 3600)
      .optional()
      .describe(
        'Lease time of a server that shares a database. After this time, other servers take over the tasks of a server that died. Default: 15.',
      ),
    agent: text
      .optional()
      .describe(
        'Agent to serve: a name such as openclaw, or the path of a module that default-exports an executor. Default: demo.',
      ),
    agentOptions: agentOptionsSchema
      .optional()
      .describe('Options of agents that are served by name, by that name.'),
    hub: flag.optional().describe('Whether to serve a hub together with the agent. Default: false.'),
    hubOptions: hubSchema.optional().describe('Options of the hub.'),
    card: z
      .strictObject(
        {
          name: text.optional().describe('Name of the agent. Default: the name that the agent defines.'),
          description: text
            .optional()
            .describe('Description of the agent. Default: the one that the agent defines.'),
          signingKeyFile: text
            .optional()
            .describe('File with the private key that signs the card, as a JSON Web Key.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Contents of the agent card.'),
    authentication: z
      .strictObject(
        {
          apiKeys: flag
            .optional()
            .describe('Whether API keys are accepted. Default: true if `holdword keys add` has created one.'),
          jwt: jwtSchema.optional().describe('Accept JWT bearer tokens of this issuer.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('How callers authenticate. Without it, the server listens on localhost only.'),
    limits: z
      .strictObject(
        {
          bodyBytes: integer('a number of bytes', 1024, 1_073_741_824)
            .optional()
            .describe('Maximum size of a request body. Default: 1048576 (1 MiB).'),
          concurrentTurns: integer('a number of turns', 1, 100_000)
            .optional()
            .describe('Maximum number of turns that run at once; further turns are queued. Default: 100.'),
          queuedTurns: integer('a number of turns', 0, 1_000_000)
            .optional()
            .describe(
              'Maximum number of queued turns; further messages are rejected with 429. Default: 1000.',
            ),
          eventBytes: integer('a number of bytes', 1024, 1_073_741_824)
            .optional()
            .describe('Maximum size of an event that an agent writes. Default: 16777216 (16 MiB).'),
          requestsPerMinute: integer('a number of requests', 0, 100_000_000)
            .optional()
            .describe('Rate limit per authenticated caller; 0 for no limit. Default: 60000.'),
          streams: integer('a number of streams', 1, 1_000_000)
            .optional()
            .describe('Maximum number of open streams. Default: 20000.'),
          streamsPerCaller: integer('a number of streams', 1, 1_000_000)
            .optional()
            .describe('Maximum number of open streams per authenticated caller. Default: 2000.'),
          stalledStreamSeconds: integer('a number of seconds', 1, 86_400)
            .optional()
            .describe('A stream whose client reads nothing for this long is closed. Default: 120.'),
          connections: integer('a number of connections', 1, 1_000_000)
            .optional()
            .describe('Maximum number of open HTTP connections. Default: 25000.'),
          headSeconds: integer('a number of seconds', 1, 3600)
            .optional()
            .describe('Time limit for receiving the headers of a request. Default: 20.'),
          requestSeconds: integer('a number of seconds', 1, 3600)
            .optional()
            .describe('Time limit for receiving a whole request. Default: 60.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Limits of this server.'),
    metrics: z
      .strictObject(
        {
          enabled: flag.optional().describe('Whether /metrics is served. Default: true.'),
          public: flag
            .optional()
            .describe('Whether /metrics is served without authentication. Default: false.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Metrics for Prometheus.'),
    audit: z
      .strictObject(
        {
          enabled: flag.optional().describe('Whether the audit log is written. Default: true.'),
          file: text.optional().describe('Path of the audit log. Default: audit.jsonl in the data folder.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Audit log: one line for every state change of a task and every rejected request.'),
    retention: z
      .strictObject(
        {
          maxAgeHours: integer('a number of hours', 1, 876_000)
            .optional()
            .describe('Delete tasks that ended longer ago. Default: never.'),
          maxEndedTasks: integer('a number of tasks', 1, 1_000_000_000)
            .optional()
            .describe('How many ended tasks to keep per owner; older ones are deleted. Default: all.'),
          compactAfterHours: integer('a number of hours', 1, 876_000)
            .optional()
            .describe(
              'Replace the events of tasks that ended longer ago with a snapshot of the task. Default: never.',
            ),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Retention of ended tasks.'),
    minimumFreeBytes: integer('a number of bytes', 0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'With less free disk space for the data, /readyz reports not ready. Default: 67108864 (64 MiB).',
      ),
    push: pushSchema.optional().describe('Push notifications.'),
    graceSeconds: integer('a number of seconds', 0, 3600)
      .optional()
      .describe('How long running turns may take to finish after Ctrl-C. Default: 5.'),
    logLevel: z
      .enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` })
      .optional()
      .describe('Least severe level to log to stderr. Default: warn.'),
    logFormat: z
      .enum(LOG_FORMATS, { error: `expected one of ${LOG_FORMATS.join(', ')}` })
      .optional()
      .describe('Format of the log. Default: text on a terminal, otherwise json.'),
  },
  { error: 'expected an object' },
);

export type Config = z.infer<typeof configSchema>;
