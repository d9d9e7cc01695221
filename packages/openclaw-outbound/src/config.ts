import { isAbsolute } from 'node:path';
import { parseAllowList } from '@holdword/net/internal';
import { nearestName, shorten, trimEndOf } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { Transport } from './contract.ts';

/** The transports that this plugin supports. */
export const TRANSPORTS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const satisfies readonly Transport[];

const DAY = 24 * 60 * 60 * 1000;
const MEBIBYTE = 1024 * 1024;
const MAX_SHOWN = 100;

/** An object whose unknown fields are errors that name the field which was probably meant. */
function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys }) => (code === 'unrecognized_keys' ? unknownFields(keys, names) : undefined),
  });
}

function unknownFields(keys: unknown, names: readonly string[]): string {
  const unknown = Array.isArray(keys) ? keys.map(String) : [];
  return unknown
    .map((key) => {
      const near = nearestName(key, names);
      const advice = near === undefined ? `valid fields are ${names.join(', ')}` : `did you mean "${near}"?`;
      return `unknown field "${shorten(key, 60)}"; ${advice}`;
    })
    .join('; ');
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function hasCredentials(text: string): boolean {
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** A URL may contain a password, in front of an "@". */
function foundUrl(value: unknown): string {
  return typeof value === 'string' && value.includes('@') ? 'another text' : found(value);
}

function found(value: unknown): string {
  return JSON.stringify(shorten(String(value), MAX_SHOWN));
}

const positive = z.int().min(1);

/*
 * Forms of texts are checked by functions. As patterns or formats they would be in the manifest, and OpenClaw would answer with a
 * regular expression; so it accepts the text, and the plugin says what is wrong with it.
 */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const webUrl = z.string().refine(isWebUrl, {
  error: ({ input }) => `expected a URL that starts with http:// or https://, found ${foundUrl(input)}`,
});
const headerName = z.string().refine((text) => HEADER_NAME.test(text), {
  error: ({ input }) => `expected an HTTP header name, found ${found(input)}`,
});
const headerMap = z.record(headerName, z.string());
const cardPath = z.string().refine((text) => text.startsWith('/'), {
  error: ({ input }) => `expected a path starting with "/", found ${found(input)}`,
});
/** readConfig checks the names, because policy.enforceSupportedTransports decides about unsupported ones. */
const transports = z.array(z.string().min(1)).min(1);

/** A string in which `${NAME}` refers to an environment variable, or a file that contains only the secret. */
const secret = z.union([z.string().min(1), object({ file: z.string().min(1) })]);
export type Secret = z.infer<typeof secret>;

const AUTH_TYPES = [
  object({ type: z.literal('bearer'), token: secret }),
  object({ type: z.literal('basic'), username: z.string().min(1), password: secret }),
  object({ type: z.literal('header'), name: headerName, value: secret }),
  object({
    type: z.literal('oauth2'),
    tokenUrl: webUrl,
    clientId: z.string().min(1),
    clientSecret: secret,
    scope: z.string().min(1).optional(),
    audience: z.string().min(1).optional(),
  }),
] as const;
const auth = z.discriminatedUnion('type', AUTH_TYPES, {
  error: 'expected one of bearer, basic, header, oauth2',
});
export type TargetAuth = z.infer<typeof auth>;

/** Models read it. */
const baseUrl = webUrl.refine((text) => !isWebUrl(text) || !hasCredentials(text), {
  error: "expected a URL without credentials, which models could read; move them to the target's auth",
});

const targetSchema = object({
  alias: z.string().min(1).describe('The name the model uses. Must be unique.'),
  baseUrl: baseUrl.describe('Base URL, `http` or `https`, without credentials.'),
  description: z.string().optional().describe('What the agent is for. Shown to the model.'),
  tags: z.array(z.string()).default([]).describe('Shown to the model.'),
  examples: z.array(z.string()).default([]).describe('Example requests, shown to the model.'),
  default: z
    .boolean()
    .default(false)
    .describe('Used when a `send` names no target. At most one target can be the default.'),
  cardPath: cardPath.optional().describe('Overrides the card path for this target.'),
  preferredTransports: transports.optional().describe('Overrides the transports for this target.'),
  serviceParameters: headerMap
    .default({})
    .describe('More headers for this target. An entry overrides the default of the same name.'),
  auth: auth.optional().describe('Credentials.'),
  trustedOrigins: z
    .array(webUrl)
    .default([])
    .describe(
      'More origins that may receive the credentials, for agents whose endpoint is not on the origin of their card.',
    ),
});

/** Every setting: its form, its default and what it means. The manifest and the README are compared with it. */
export const configSchema = object({
  enabled: z.boolean().default(false).describe('Registers the tool.'),
  defaults: object({
    timeoutMs: positive
      .default(120_000)
      .describe(
        'Timeout of a whole call, including its stream. A request can override it with `timeout_ms`.',
      ),
    cardPath: cardPath
      .default('/.well-known/agent-card.json')
      .describe(
        'Path of the agent card below `baseUrl`. With the default path, `/.well-known/agent.json` is tried as well.',
      ),
    preferredTransports: transports
      .default(['JSONRPC', 'HTTP+JSON'])
      .describe('Transports in order of preference: `JSONRPC`, `HTTP+JSON`, `GRPC`.'),
    serviceParameters: headerMap
      .default({})
      .describe(
        'HTTP headers sent to every configured target. `${NAME}` is replaced by an environment variable.',
      ),
    cardMaxAgeMs: positive
      .default(300_000)
      .describe('How long an agent card is cached. A failed fetch is not cached.'),
  }).prefault({}),
  targets: z.array(targetSchema).default([]).describe('The agents the model may call.'),
  taskHandles: object({
    ttlMs: positive
      .default(DAY)
      .describe('Lifetime of a task handle. Every response about the task extends it.'),
    maxEntries: positive
      .default(1000)
      .describe('Number of handles kept. The least recently used one is evicted.'),
  }).prefault({}),
  policy: object({
    acceptedOutputModes: z
      .array(z.string())
      .default([])
      .describe('Media types to accept. An empty list means no preference. A request can override it.'),
    normalizeBaseUrl: z
      .boolean()
      .default(true)
      .describe('Compares URLs in normalized form: lower-case host, no default port, no query or fragment.'),
    enforceSupportedTransports: z
      .boolean()
      .default(true)
      .describe('Rejects a configuration with unsupported transports. `false` ignores them.'),
    allowTargetUrlOverride: z
      .boolean()
      .default(false)
      .describe('Lets the model call agents that are not configured, by `target_url`.'),
    allowHosts: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Private hosts, addresses and CIDR ranges that cards and model-supplied URLs may point to. Link-local and cloud metadata addresses stay refused.',
      ),
    maxHops: positive
      .default(8)
      .describe(
        'How many agents a request may pass through, including this one. Stops loops between agents.',
      ),
    shareInstallationId: z
      .boolean()
      .default(true)
      .describe(
        'Adds an opaque, stable id of this installation to the route in every message. `false` leaves it out; the hop count remains.',
      ),
  }).prefault({}),
  files: object({
    save: z
      .boolean()
      .default(true)
      .describe('Saves files that agents return, so that other tools of the model can read them.'),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Absolute path of the folder for these files, for example one in the workspace of the agent.',
      ),
    maxPerResult: positive.default(20).describe('Files saved from one answer.'),
    maxFileBytes: positive.default(16 * MEBIBYTE).describe('Bytes of one file. A larger one is not saved.'),
    maxTotalBytes: positive
      .default(256 * MEBIBYTE)
      .describe('Bytes of all saved files. The oldest ones are deleted.'),
    maxAgeMs: positive.default(7 * DAY).describe('Saved files are deleted after this time.'),
  }).prefault({}),
  limits: object({
    textCharacters: z
      .int()
      .min(1000)
      .default(20_000)
      .describe(
        'Characters of remote text the model reads in one result. The whole result is at most 10000 characters longer.',
      ),
    rawCharacters: z
      .int()
      .min(1000)
      .default(256 * 1024)
      .describe(
        'Characters of `raw`, and of `summary.message_text`, for programs. Longer values are cut, and `raw_cut` and `summary.message_text_cut` report the original size.',
      ),
    responseBytes: z
      .int()
      .min(1024)
      .default(16 * MEBIBYTE)
      .describe('Bytes of one response or one stream event.'),
    streamBytes: z
      .int()
      .min(1024)
      .default(64 * MEBIBYTE)
      .describe('Bytes of all events of one call.'),
  }).prefault({}),
});
type ParsedConfig = z.infer<typeof configSchema>;

interface WithTransports {
  readonly preferredTransports: readonly Transport[];
}

/** A target from the user's configuration, with the defaults applied. */
export type ConfiguredTarget = Readonly<
  Omit<z.infer<typeof targetSchema>, 'preferredTransports' | 'cardPath'>
> &
  WithTransports & { readonly cardPath: string };

/** The plugin configuration with all defaults applied. */
export interface OutboundConfig extends Omit<ParsedConfig, 'targets' | 'defaults'> {
  readonly defaults: Omit<ParsedConfig['defaults'], 'preferredTransports'> & WithTransports;
  readonly targets: readonly ConfiguredTarget[];
}

/** `configSchema` as JSON schema, for the manifest. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === auth) joinAlternatives(jsonSchema);
    },
  });
}

/**
 * OpenClaw shows the errors of every alternative, or of none. With the fields of all in one object it names the one that is
 * misspelt; which of them belong together is checked by `readConfig`.
 */
function joinAlternatives(schema: z.core.JSONSchema.BaseSchema): void {
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const fields = alternatives.flatMap(({ properties = {} }) => Object.entries(properties));
  delete schema.oneOf;
  delete schema.anyOf;
  schema.type = 'object';
  schema.required = ['type'];
  const type = { enum: AUTH_TYPES.map(({ shape }) => shape.type.value) };
  schema.allOf = [{ properties: { ...Object.fromEntries(fields), type }, additionalProperties: false }];
}

/**
 * Validates the plugin configuration and applies the defaults.
 *
 * @throws Error that names the invalid fields.
 * @example
 * const config = readConfig({ enabled: true, targets: [{ alias: 'support', baseUrl: 'https://support.example' }] });
 */
export function readConfig(value: unknown): OutboundConfig {
  const result = configSchema.safeParse(value ?? {});
  if (!result.success) throw new Error(`Invalid remote_agent configuration: ${explain(result.error)}`);
  const { defaults, targets, policy, ...rest } = result.data;
  const known = (names: readonly string[], owner: string): Transport[] =>
    knownTransports(names, owner, policy.enforceSupportedTransports);
  const preferredTransports = known(defaults.preferredTransports, 'defaults');
  const configured = targets.map(
    ({ baseUrl: url, preferredTransports: own, serviceParameters, ...given }): ConfiguredTarget => ({
      ...given,
      baseUrl: normalizeUrl(url, policy.normalizeBaseUrl),
      cardPath: given.cardPath ?? defaults.cardPath,
      preferredTransports: own ? known(own, `target "${given.alias}"`) : preferredTransports,
      serviceParameters: { ...defaults.serviceParameters, ...serviceParameters },
    }),
  );
  checkTargets(configured);
  if (rest.files.folder !== undefined && !isAbsolute(rest.files.folder)) {
    throw new Error(
      `Invalid remote_agent configuration: files.folder: expected an absolute path, found "${shorten(rest.files.folder, 100)}"`,
    );
  }
  parseAllowList(policy.allowHosts);
  return { ...rest, policy, defaults: { ...defaults, preferredTransports }, targets: configured };
}

function knownTransports(names: readonly string[], owner: string, enforce: boolean): Transport[] {
  const unknown = names.filter((name) => !isTransport(name));
  const known = names.filter(isTransport);
  if (enforce && unknown.length > 0) {
    throw new Error(
      `Unsupported transport in preferredTransports of ${owner}: ${unknown.join(', ')}. Supported: ${TRANSPORTS.join(', ')}. ` +
        'Set policy.enforceSupportedTransports to false to ignore unsupported transports.',
    );
  }
  if (known.length === 0) {
    throw new Error(
      `No supported transport in preferredTransports of ${owner}. Use at least one of ${TRANSPORTS.join(', ')}.`,
    );
  }
  return known;
}

function isTransport(name: string): name is Transport {
  return TRANSPORTS.some((transport) => transport === name);
}

function checkTargets(targets: readonly ConfiguredTarget[]): void {
  const aliases = targets.map(({ alias }) => alias);
  const duplicate = aliases.find((alias, index) => aliases.indexOf(alias) !== index);
  if (duplicate !== undefined) {
    throw new Error(`Duplicate target alias "${duplicate}". Give each target a unique alias.`);
  }
  const defaults = targets.filter((target) => target.default).map(({ alias }) => alias);
  if (defaults.length > 1) {
    throw new Error(`More than one default target: ${defaults.join(', ')}. Mark at most one as default.`);
  }
}

function isUnknown({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function explain(error: z.ZodError): string {
  // A field with a misspelt name is missing as well: its name is what to correct.
  return error.issues
    .toSorted((left, right) => Number(isUnknown(right)) - Number(isUnknown(left)))
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

/**
 * Normalizes an absolute URL: lower-case host, no default port, no query or fragment, a trailing slash. With
 * `normalize = false` only URL parsing applies, so a base URL keeps its query.
 */
export function normalizeUrl(text: string, normalize = true): string {
  const url = new URL(text);
  if (!normalize) return url.href;
  url.search = '';
  url.hash = '';
  url.pathname = `${trimEndOf(url.pathname, '/')}/`;
  return url.href;
}
