import { z } from 'zod';

/** The transports that this plugin supports. */
export const TRANSPORTS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const DAY = 24 * 60 * 60 * 1000;

const positive = z.int().min(1);
const webUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected an HTTP header name');
const headerMap = z.record(headerName, z.string());
const cardPath = z.string().regex(/^\//, 'expected a path starting with "/"');
/** readConfig checks the names, because policy.enforceSupportedTransports decides about unsupported ones. */
const transports = z.array(z.string().min(1)).min(1);

/** A string in which `${NAME}` refers to an environment variable, or a file that contains only the secret. */
const secret = z.union([z.string().min(1), z.strictObject({ file: z.string().min(1) })]);
export type Secret = z.infer<typeof secret>;

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: secret }),
  z.strictObject({ type: z.literal('basic'), username: z.string().min(1), password: secret }),
  z.strictObject({ type: z.literal('header'), name: headerName, value: secret }),
  z.strictObject({
    type: z.literal('oauth2'),
    tokenUrl: webUrl,
    clientId: z.string().min(1),
    clientSecret: secret,
    scope: z.string().min(1).optional(),
    audience: z.string().min(1).optional(),
  }),
]);
export type TargetAuth = z.infer<typeof auth>;

const target = z.strictObject({
  alias: z.string().min(1),
  baseUrl: webUrl,
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  examples: z.array(z.string()).optional(),
  default: z.boolean().optional(),
  cardPath: cardPath.optional(),
  preferredTransports: transports.optional(),
  /** Sent to this target only; overrides entries of the same name in `defaults`. */
  serviceParameters: headerMap.optional(),
  auth: auth.optional(),
  /** More origins that may receive the credentials, for agents whose endpoint is not on the origin of their card. */
  trustedOrigins: z.array(webUrl).optional(),
});

export const configSchema = z.strictObject({
  enabled: z.boolean().default(false),
  defaults: z
    .strictObject({
      timeoutMs: positive.default(120_000),
      cardPath: cardPath.default('/.well-known/agent-card.json'),
      preferredTransports: transports.default(['JSONRPC', 'HTTP+JSON']),
      serviceParameters: headerMap.default({}),
      cardMaxAgeMs: positive.default(300_000),
    })
    .prefault({}),
  targets: z.array(target).default([]),
  taskHandles: z
    .strictObject({ ttlMs: positive.default(DAY), maxEntries: positive.default(1000) })
    .prefault({}),
  policy: z
    .strictObject({
      acceptedOutputModes: z.array(z.string()).default([]),
      normalizeBaseUrl: z.boolean().default(true),
      enforceSupportedTransports: z.boolean().default(true),
      allowTargetUrlOverride: z.boolean().default(false),
      /** Private addresses, ranges and hosts that cards and model-supplied URLs may point to. */
      allowHosts: z.array(z.string().min(1)).default([]),
      /** How many agents a request may pass through, including this one. */
      maxHops: positive.default(8),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Characters of remote text that the model reads in one result. */
      textCharacters: z.int().min(1000).default(20_000),
      /** Characters of `raw`; a longer value is cut. */
      rawCharacters: z
        .int()
        .min(1000)
        .default(256 * 1024),
      /** Bytes of one response or one stream event. */
      responseBytes: z
        .int()
        .min(1024)
        .default(16 * 1024 * 1024),
      /** Bytes of all stream events of one call. */
      streamBytes: z
        .int()
        .min(1024)
        .default(64 * 1024 * 1024),
    })
    .prefault({}),
});
export type ParsedConfig = z.infer<typeof configSchema>;
