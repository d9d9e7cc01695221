import { flag, integer, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { webAddress } from './web-address.ts';

/** What the configuration may say of the hub. */
export const hubSchema = z.strictObject(
  {
    openRegistration: flag
      .optional()
      .describe('Whether agents register without an API key where the server has keys. Default: false.'),
    publicStatus: flag
      .optional()
      .describe('Whether times of a session are shown to whoever knows its id. Default: true.'),
    strictHeartbeats: flag
      .optional()
      .describe(
        'Whether a heartbeat without its token is refused; otherwise it is answered and not kept. Default: false.',
      ),
    requestsPerMinute: integer('a number of calls', 0, 100_000_000)
      .optional()
      .describe('Calls from one address, 0 for as many as come. Default: 60.'),
    bodyBytes: integer('a number of bytes', 1024, 16_777_216)
      .optional()
      .describe('The largest request body. Default: 65536 (64 KiB).'),
    sessionSeconds: integer('a number of seconds', 1, 31_536_000)
      .optional()
      .describe('How long a session lives after it was last used. Default: 604800 (7 days).'),
    idleSeconds: integer('a number of seconds', 0, 31_536_000)
      .optional()
      .describe(
        'How long after its last use a session is continued without being named. Default: 5400 (90 minutes).',
      ),
    watchSeconds: integer('a number of seconds', 0, 3600)
      .optional()
      .describe('How often agents that miss their cadence are looked for, 0 for never. Default: 10.'),
    offerTasksOfMissing: flag
      .optional()
      .describe(
        'Whether the open tasks of such an agent are offered to the agents of its controller. Default: true.',
      ),
    alarms: z
      .strictObject(
        {
          url: webAddress.describe('Where to.'),
          tokenFile: text.optional().describe('A file with the token that is sent along as a bearer token.'),
        },
        { error: 'expected an object with url' },
      )
      .optional()
      .describe('Where an agent that misses its cadence is reported. Default: nowhere.'),
  },
  { error: 'expected an object' },
);
