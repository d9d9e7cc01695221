import { flag, integer, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { webAddress } from './web-address.ts';

/** Options of the hub in the configuration. */
export const hubSchema = z.strictObject(
  {
    openRegistration: flag
      .optional()
      .describe(
        'Whether agents can register without an API key on a server that requires keys. Default: false.',
      ),
    publicStatus: flag
      .optional()
      .describe('Whether anyone who knows the id of a session can read its timestamps. Default: true.'),
    strictHeartbeats: flag
      .optional()
      .describe(
        'Whether a heartbeat without a valid token is rejected. If false, it is answered but not stored. Default: false.',
      ),
    requestsPerMinute: integer('a number of requests', 0, 100_000_000)
      .optional()
      .describe('Rate limit per IP address; 0 for no limit. Default: 60.'),
    bodyBytes: integer('a number of bytes', 1024, 16_777_216)
      .optional()
      .describe('Maximum size of a request body. Default: 65536 (64 KiB).'),
    sessionSeconds: integer('a number of seconds', 1, 31_536_000)
      .optional()
      .describe('Time after which an unused session expires. Default: 604800 (7 days).'),
    idleSeconds: integer('a number of seconds', 0, 31_536_000)
      .optional()
      .describe(
        'How long after its last use a session is resumed by a request that names no session. Default: 5400 (90 minutes).',
      ),
    watchSeconds: integer('a number of seconds', 0, 3600)
      .optional()
      .describe(
        'Interval between checks for agents that miss their heartbeat cadence; 0 for never. Default: 10.',
      ),
    offerTasksOfMissing: flag
      .optional()
      .describe(
        'Whether the open tasks of an agent that missed its cadence are offered to other agents of the same controller. Default: true.',
      ),
    alarms: z
      .strictObject(
        {
          url: webAddress.describe('URL of the webhook.'),
          tokenFile: text.optional().describe('File with a token to send as bearer token.'),
        },
        { error: 'expected an object with url' },
      )
      .optional()
      .describe('Webhook that is called when an agent misses its cadence. Default: none.'),
  },
  { error: 'expected an object' },
);
