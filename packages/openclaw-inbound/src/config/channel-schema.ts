import { flag, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { accountSchema } from './account-schema.ts';
import { peerName } from './auth-schema.ts';

const httpUrl = z
  .string({ error: 'expected a URL' })
  .regex(/^https?:\/\//, 'expected a URL that begins with http:// or https://');

/** What the configuration of OpenClaw's own A2A channel may say, so that it is taken over as it stands. */
export const bundledSchema = z.strictObject(
  {
    advertisedUrl: httpUrl.optional().describe('Where others reach the gateway.'),
    replyTimeoutMs: integer('a number of milliseconds', 5_000, 600_000)
      .optional()
      .describe('How long a blocking send waits. Default: 120000.'),
    rateLimitPerMinute: integer('a number of calls', 0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Calls of one peer, 0 for as many as come. Default: 30.'),
    exposeAgents: listOf(text).optional().describe('The agents on the card. Default: all.'),
    peers: z
      .record(
        peerName,
        z.strictObject(
          {
            token: text.describe('The bearer token that the peer sends.'),
            url: httpUrl.optional().describe('Not used here.'),
            outboundToken: text.optional().describe('Not used here.'),
          },
          { error: 'expected an object with a token' },
        ),
        { error: 'expected an object with the peers by name' },
      )
      .optional()
      .describe('The callers that are let in, by name.'),
  },
  { error: 'expected an object' },
);

export type BundledInput = z.infer<typeof bundledSchema>;

/** What `channels.a2a` may say. */
export const channelSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Default: true.'),
    configWrites: flag.optional().describe('Whether the host may change this section.'),
    accounts: z
      .record(z.string(), accountSchema, { error: 'expected an object with the accounts by name' })
      .optional()
      .describe('The accounts under which the gateway is reached.'),
    ...bundledSchema.shape,
  },
  { error: 'expected an object' },
);

export const BUNDLED_KEYS: readonly string[] = Object.keys(bundledSchema.shape);
