import { flag, integer } from '@parley/runtime/agents';
import { z } from 'zod';

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
  },
  { error: 'expected an object' },
);
