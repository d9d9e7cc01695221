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
const hostAndPort = z.string().regex(/^[^\s/]+:\d{1,5}$/, { error: 'expected an address as host:port' });

const jwtSchema = z
  .strictObject(
    {
      issuer: text.describe('The `iss` that tokens must have.'),
      audience: text.describe('The `aud` that tokens must have.'),
      jwksUrl: webAddress.optional().describe('Where the issuer publishes its public keys.'),
      jwksFile: text.optional().describe('A file with the public keys as a JSON Web Key Set.'),
      tenantClaim: text
        .optional()
        .describe('The claim that names the tenant. Without it there is one tenant.'),
    },
    { error: 'expected an object with issuer, audience and jwksUrl or jwksFile' },
  )
  .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.jwksFile === undefined), {
    error: 'expected one of jwksUrl and jwksFile',
  });

/** What `holdword.config.json` may say. The published JSON schema is made from it. */
export const configSchema = z.strictObject(
  {
    $schema: z.string().optional().describe('Lets editors help; Holdword does not read it.'),
    host: text.optional().describe('The address to listen on. Default: 127.0.0.1.'),
    port: portNumber.optional().describe('The HTTP port; 0 picks a free one. Default: 4310.'),
    grpcPort: z
      .union([portNumber, z.literal('off')], {
        error: 'expected a port number from 0 to 65535 or "off"',
      })
      .optional()
      .describe('The gRPC port, 0 for a free one, or "off". Default: the HTTP port + 1.'),
    publicUrl: baseAddress
      .optional()
      .describe('Where callers reach the HTTP port, when a proxy stands before it.'),
    publicGrpcAddress: hostAndPort
      .optional()
      .describe('Where callers reach the gRPC port, as host:port, when a proxy stands before it.'),
    data: text.optional().describe('The folder that holds the data. Default: .holdword.'),
    store: storeSetting
      .optional()
      .describe(
        'How tasks are stored: sqlite, json-file, memory, or the URL of a database. Default: sqlite.',
      ),
    storeSchema: text
      .optional()
      .describe('The schema of the database that holds everything. Default: holdword.'),
    leaseSeconds: integer('a number of seconds', 2, 3600)
      .optional()
      .describe(
        'Where servers share a database: how soon others go on with the tasks of one that died. Default: 15.',
      ),
    agent: text
      .optional()
      .describe(
        'The agent to serve: the name of one that Holdword knows, or the path of a module that default-exports an executor. Default: demo.',
      ),
    agentOptions: agentOptionsSchema
      .optional()
      .describe('Options of the agents that Holdword knows, each under its name.'),
    hub: flag.optional().describe('Whether the hub is served beside the agent. Default: false.'),
    hubOptions: hubSchema.optional().describe('How the hub treats agents and their sessions.'),
    card: z
      .strictObject(
        {
          name: text.optional().describe('The name on the card, instead of the one the agent gives.'),
          description: text.optional().describe('The description on the card.'),
          signingKeyFile: text
            .optional()
            .describe('A file with the private key, as a JSON Web Key, that signs the card.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('What the agent card says.'),
    authentication: z
      .strictObject(
        {
          apiKeys: flag
            .optional()
            .describe(
              'Whether callers need an API key. Default: true once `holdword keys add` has made one.',
            ),
          jwt: jwtSchema.optional().describe('Accept bearer tokens of this issuer.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('How callers say who they are.'),
    limits: z
      .strictObject(
        {
          bodyBytes: integer('a number of bytes', 1024, 1_073_741_824)
            .optional()
            .describe('The largest request body. Default: 1048576 (1 MiB).'),
          concurrentTurns: integer('a number of turns', 1, 100_000)
            .optional()
            .describe('Turns that run at once; more wait.'),
          queuedTurns: integer('a number of turns', 0, 1_000_000)
            .optional()
            .describe('Turns that may wait; one more is refused.'),
          eventBytes: integer('a number of bytes', 1024, 1_073_741_824)
            .optional()
            .describe('The largest event an agent may write at once. Default: 16777216 (16 MiB).'),
          requestsPerMinute: integer('a number of calls', 0, 100_000_000)
            .optional()
            .describe('Calls of one authenticated caller, 0 for as many as come. Default: 60000.'),
          streams: integer('a number of streams', 1, 1_000_000)
            .optional()
            .describe('Streams open at once. Default: 20000.'),
          streamsPerCaller: integer('a number of streams', 1, 1_000_000)
            .optional()
            .describe('Streams that one authenticated caller has open. Default: 2000.'),
          stalledStreamSeconds: integer('a number of seconds', 1, 86_400)
            .optional()
            .describe('A stream whose reader takes nothing for this long is cut. Default: 120.'),
          connections: integer('a number of connections', 1, 1_000_000)
            .optional()
            .describe('HTTP connections open at once. Default: 25000.'),
          headSeconds: integer('a number of seconds', 1, 3600)
            .optional()
            .describe('How long a client may take to send the head of a request. Default: 20.'),
          requestSeconds: integer('a number of seconds', 1, 3600)
            .optional()
            .describe('How long a client may take to send a whole request. Default: 60.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('How much one server takes on.'),
    metrics: z
      .strictObject(
        {
          enabled: flag.optional().describe('Whether /metrics is answered. Default: true.'),
          public: flag
            .optional()
            .describe('Whether /metrics is answered to callers without a credential, too. Default: false.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('Figures for Prometheus.'),
    audit: z
      .strictObject(
        {
          enabled: flag
            .optional()
            .describe('Whether state changes and refused calls are written down. Default: true.'),
          file: text.optional().describe('Where to. Default: audit.jsonl in the data folder.'),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('A line for every state a task comes into and every call that is refused.'),
    retention: z
      .strictObject(
        {
          maxAgeHours: integer('a number of hours', 1, 876_000)
            .optional()
            .describe('Tasks that ended longer ago are removed. Default: none are.'),
          maxEndedTasks: integer('a number of tasks', 1, 1_000_000_000)
            .optional()
            .describe('Of every owner so many tasks that have ended are kept, the newest. Default: all.'),
          compactAfterHours: integer('a number of hours', 1, 876_000)
            .optional()
            .describe(
              'The events of tasks that ended longer ago are replaced by the task. Default: none are.',
            ),
        },
        { error: 'expected an object' },
      )
      .optional()
      .describe('What is forgotten of tasks that have ended.'),
    minimumFreeBytes: integer('a number of bytes', 0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('With less room on the disk of the data, /readyz says no. Default: 67108864 (64 MiB).'),
    push: pushSchema.optional().describe('How clients are notified of what happens to their tasks.'),
    graceSeconds: integer('a number of seconds', 0, 3600)
      .optional()
      .describe('How long running turns may go on after Ctrl-C. Default: 5.'),
    logLevel: z
      .enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` })
      .optional()
      .describe('What is written to the error output. Default: warn.'),
    logFormat: z
      .enum(LOG_FORMATS, { error: `expected one of ${LOG_FORMATS.join(', ')}` })
      .optional()
      .describe('How it is written. Default: text for a terminal, json otherwise.'),
  },
  { error: 'expected an object' },
);

export type Config = z.infer<typeof configSchema>;
