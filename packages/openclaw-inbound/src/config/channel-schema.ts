import { flag, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { accountSchema } from './account-schema.ts';
import { peerName } from './auth-schema.ts';

const httpUrl = z
  .string({ error: 'expected a URL' })
  .regex(/^https?:\/\//, 'expected a URL starting with http:// or https://');

/** The configuration of OpenClaw's bundled A2A channel, accepted unchanged. */
export const bundledSchema = z.strictObject(
  {
    advertisedUrl: httpUrl.optional().describe('The URL at which other agents reach the gateway.'),
    replyTimeoutMs: integer('a number of milliseconds', 5_000, 600_000)
      .optional()
      .describe('How long a blocking send waits before it returns the current task. Default: 120000.'),
    rateLimitPerMinute: integer('a number of requests', 0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Requests per minute and peer; 0 for no limit. Default: 30.'),
    exposeAgents: listOf(text).optional().describe('The agents on the card. Default: all.'),
    peers: z
      .record(
        peerName,
        z.strictObject(
          {
            token: text.describe('The bearer token that the peer sends.'),
            url: httpUrl.optional().describe('Not used by this plugin.'),
            outboundToken: text.optional().describe('Not used by this plugin.'),
          },
          { error: 'expected an object with a token' },
        ),
        { error: 'expected an object of peers by name' },
      )
      .optional()
      .describe('The callers allowed to connect, by name.'),
  },
  { error: 'expected an object' },
);

export type BundledInput = z.infer<typeof bundledSchema>;

/** `channels.a2a`. */
export const channelSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Default: true.'),
    configWrites: flag.optional().describe('Whether OpenClaw may change this section.'),
    accounts: z
      .record(z.string(), accountSchema, { error: 'expected an object of accounts by name' })
      .optional()
      .describe('The A2A endpoints of this gateway, by name.'),
    ...bundledSchema.shape,
  },
  { error: 'expected an object' },
);

export const BUNDLED_KEYS: readonly string[] = Object.keys(bundledSchema.shape);
