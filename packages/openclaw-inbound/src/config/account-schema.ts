import { isAbsolute } from 'node:path';
import { isAllowEntry } from '@holdword/net/internal';
import { flag, hostUrlProblem, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';

/** `hybrid` answers with a plain message if no task is needed; `task-generating` always creates a task. */
const AGENT_STYLES = ['hybrid', 'task-generating'] as const;
const CHAT = { id: 'chat', name: 'Chat', description: 'Talk with the agent.', tags: ['chat'] };

/*
 * Forms of texts are checked by functions. As patterns they would be in the JSON schema, and OpenClaw would answer with the regular
 * expression before this plugin can say what it expects.
 */
const PATH = /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/;
const DIGEST = /^(sha256:)?[0-9a-fA-F]{64}$/;
const WORKER_TOKEN = /^holdword-worker_\S+$/;
const PEER_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A path that matches the gateway's exact routes. */
const path = z
  .string({ error: 'expected a path' })
  .refine((given) => PATH.test(given), 'expected a path such as /a2a/jsonrpc');

const folder = text.refine(isAbsolute, 'expected an absolute path').describe('An absolute path.');

export const taskStoreSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('memory') }),
    z.strictObject({ kind: z.literal('json-file'), path: folder }),
    z.strictObject({ kind: z.literal('sqlite'), path: folder }),
    z.strictObject({
      kind: z.literal('postgres'),
      url: z
        .url({
          protocol: /^postgres(ql)?$/,
          error: 'expected a database URL such as postgres://user:password@host/name',
        })
        .describe('postgres://user:password@host:5432/name'),
      schema: text.optional().describe('The database schema. Default: holdword.'),
    }),
  ],
  { error: 'expected an object whose kind is memory, json-file, sqlite or postgres' },
);

const skillSchema = z.strictObject(
  {
    id: z.string({ error: 'expected a string' }).optional().describe('A skill without an id is ignored.'),
    name: z.string({ error: 'expected a string' }).optional().describe('A skill without a name is ignored.'),
    description: text.optional().describe('Default: the name.'),
    tags: listOf(text).default([]),
    examples: listOf(text).optional(),
    inputModes: listOf(text).optional(),
    outputModes: listOf(text).optional(),
  },
  { error: 'expected an object with id and name' },
);

const featuresSchema = z.strictObject(
  {
    rest: flag.default(false).describe('The HTTP+JSON binding.'),
    push: flag.default(false).describe('Push notifications.'),
    files: flag.default(false).describe('Files in messages and answers.'),
    extendedCard: flag.default(false).describe('An extended card for authenticated callers.'),
  },
  { error: 'expected an object' },
);

const pushSchema = z.strictObject(
  {
    allowPrivate: listOf(
      text.refine(isAllowEntry, {
        error: 'expected a CIDR range such as 10.0.0.0/8, an IP address or a host name',
      }),
    )
      .default([])
      .describe(
        'Private ranges, addresses and hosts that may be notified, including over http. Link-local and cloud metadata addresses stay refused.',
      ),
  },
  { error: 'expected an object' },
);

const digest = z
  .string()
  .refine((given) => DIGEST.test(given), 'expected the SHA-256 digest of a key as 64 hex digits');

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected a URL starting with http:// or https://' });

const requestsPerMinute = integer('a number of requests', 1, 1_000_000);
const concurrentTurns = integer('a number of turns', 1, 10_000);
const REQUESTS_PER_MINUTE = 'Requests per minute; more are rejected with 429.';
const CONCURRENT_TURNS = 'Turns that run concurrently; further turns are queued.';

/** Lower case only: the name is part of session keys, which the host lowercases. */
export const peerName = z
  .string()
  .refine(
    (given) => PEER_NAME.test(given),
    'expected a name of 1 to 64 lower-case letters, digits, ".", "_" or "-"',
  );

const peerSchema = z
  .strictObject(
    {
      keySha256: z
        .union([digest, z.array(digest).min(1, 'expected at least one digest')], {
          error: 'expected the SHA-256 digest of a key as 64 hex digits, or a list of them',
        })
        .optional()
        .describe(
          'The SHA-256 digest of the key that the peer sends as a bearer token; a list while rotating keys.',
        ),
      subject: text.optional().describe('The `sub` of the tokens that the peer sends.'),
      hostCaller: text
        .optional()
        .describe('The caller at the host that the account connects to, such as key:ada; requires connect.'),
      agentId: text.optional().describe('The agent that answers this peer. Default: defaultAgentId.'),
      tools: z
        .union([z.literal('all'), listOf(text)], { error: 'expected "all" or a list of tool names' })
        .default([])
        .describe('The tools available to this peer: "all" or a list of names.'),
      privateFiles: flag
        .default(false)
        .describe(
          "Whether this peer's turns see the private files of the agent's workspace, such as USER.md and MEMORY.md.",
        ),
      mayApprove: flag
        .default(false)
        .describe('Whether this peer decides tool approvals itself; otherwise the operator does.'),
      requestsPerMinute: requestsPerMinute.optional().describe(REQUESTS_PER_MINUTE),
      concurrentTurns: concurrentTurns.optional().describe(CONCURRENT_TURNS),
    },
    { error: 'expected an object with keySha256, subject or hostCaller' },
  )
  .refine((peer) => [peer.keySha256, peer.subject, peer.hostCaller].some((given) => given !== undefined), {
    error: 'expected keySha256, subject or hostCaller to identify the peer',
  });

const jwtSchema = z
  .strictObject(
    {
      issuer: text.describe('The required `iss` of tokens.'),
      audience: text.describe('The required `aud` of tokens.'),
      jwksUrl: httpUrl.optional().describe('URL of the JSON Web Key Set of the issuer.'),
      jwksFile: text.optional().describe('File with the JSON Web Key Set of the issuer.'),
    },
    { error: 'expected an object with issuer, audience and jwksUrl or jwksFile' },
  )
  .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.jwksFile === undefined), {
    error: 'expected either jwksUrl or jwksFile',
  });

/** Who may call an account, and which agent and tools they get. */
const authSchema = z.strictObject(
  {
    required: flag
      .default(false)
      .describe(
        'Reject callers without credentials. If they are allowed, they get no tools and no private files.',
      ),
    peers: z
      .record(peerName, peerSchema, { error: 'expected an object of peers by name' })
      .default({})
      .describe('Known callers, by name.'),
    jwt: jwtSchema.optional().describe('Accept JWTs of this issuer from peers with a subject.'),
    anonymous: z
      .strictObject(
        {
          // Enough for several callers, but not for a flood.
          requestsPerMinute: requestsPerMinute.default(600).describe(REQUESTS_PER_MINUTE),
          concurrentTurns: concurrentTurns.default(8).describe(CONCURRENT_TURNS),
        },
        { error: 'expected an object' },
      )
      .prefault({})
      .describe('Limits shared by all callers without credentials.'),
  },
  { error: 'expected an object' },
);

/** In place of an address: the account dials out to a host, which serves the agent. */
const connectSchema = z.strictObject(
  {
    host: z
      .string({ error: 'expected the URL of a host' })
      .refine((given) => hostUrlProblem(given) === undefined, {
        error: 'expected an https URL of a host without user, query and fragment',
      })
      .describe('The URL of the host. Plain http only for this machine.'),
    token: z
      .string({ error: 'expected a token' })
      .refine(
        (given) => WORKER_TOKEN.test(given),
        'expected a token, as "holdword agents add NAME" prints it',
      )
      .describe('The token that "holdword agents add NAME" printed on the host.'),
    slots: integer('a number of turns', 1, 1_000)
      .default(4)
      .describe('Turns that run concurrently; further turns wait at the host.'),
  },
  { error: 'expected an object with host and token' },
);

/** `channels.a2a.accounts.<id>`: every setting with its default and its description. */
export const accountSchema = z.strictObject(
  {
    enabled: flag.default(true).describe('Turns the account on.'),
    label: text.optional().describe('The name on the card. Default: OpenClaw.'),
    description: text.default('An OpenClaw agent.').describe('The description on the card.'),
    publicBaseUrl: z
      .string({ error: 'expected a URL' })
      .optional()
      .describe('The URL at which other agents reach the gateway. Required, unless connect is set.'),
    connect: connectSchema
      .optional()
      .describe(
        'In place of publicBaseUrl: connects to a host, which serves the agent. The gateway needs no address.',
      ),
    defaultAgentId: text
      .optional()
      .describe(
        "The agent that answers, unless a binding of the gateway names this account. Default: the gateway's choice.",
      ),
    agentCardPath: path.default('/.well-known/agent-card.json').describe('Path of the agent card.'),
    jsonRpcPath: path.default('/a2a/jsonrpc').describe('Path of the JSON-RPC endpoint.'),
    maxBodyBytes: integer('a number of bytes', 1, 1_073_741_824)
      .default(1024 * 1024)
      .describe('Maximum size of a request body.'),
    defaultInputModes: listOf(text)
      .min(1, 'expected at least one media type')
      .optional()
      .describe(
        'Media types of messages. Default: text/plain, application/json; with features.files also */*.',
      ),
    defaultOutputModes: listOf(text)
      .min(1, 'expected at least one media type')
      .optional()
      .describe(
        'Media types of answers. Default: text/plain, application/json; with features.files also */*.',
      ),
    agentStyle: z
      .enum(AGENT_STYLES, { error: `expected one of ${AGENT_STYLES.join(', ')}` })
      .default('hybrid')
      .describe('hybrid: short answers are plain messages. task-generating: every answer is a task.'),
    taskStore: taskStoreSchema.default({ kind: 'memory' }).describe('Where tasks are stored.'),
    skills: listOf(skillSchema).prefault([CHAT]).describe('The skills on the card.'),
    features: featuresSchema.prefault({}).describe('Optional features.'),
    push: pushSchema.prefault({}).describe('Push notification settings; features.push enables them.'),
    auth: authSchema.prefault({}).describe('Who may call, and which agent and tools they get.'),
    originRoutingPolicy: text
      .optional()
      .describe('Accepted for compatibility with @aramisfa/openclaw-a2a-inbound. Has no effect.'),
  },
  { error: 'expected an object' },
);

/** The settings of an account with the defaults applied. */
export type AccountSettings = z.infer<typeof accountSchema>;
