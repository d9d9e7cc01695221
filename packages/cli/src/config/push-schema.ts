import { isAllowEntry } from '@holdword/net/internal';
import { flag, integer, text } from '@holdword/runtime/internal';
import { z } from 'zod';

const allowEntry = text.refine(isAllowEntry, {
  error: 'expected an IP range such as 10.0.0.0/8, an IP address or a host name',
});

/** Options of push notifications in the configuration. */
export const pushSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Whether clients can set up push notifications. Default: true.'),
    allowPrivate: z
      .array(allowEntry, { error: 'expected an array' })
      .optional()
      .describe(
        'IP ranges, addresses and hosts in private networks that can be notified, over http as well.',
      ),
    concurrency: integer('a number of requests', 1, 10_000)
      .optional()
      .describe('Maximum number of concurrent deliveries. Default: 64.'),
    timeoutSeconds: integer('a number of seconds', 1, 300)
      .optional()
      .describe('Timeout of a delivery. Default: 10.'),
    longestPauseSeconds: integer('a number of seconds', 1, 86_400)
      .optional()
      .describe('Maximum delay between two attempts. Default: 300.'),
    deadLetterHours: integer('a number of hours', 1, 8760)
      .optional()
      .describe('How long to retry an event before its target is marked dead. Default: 24.'),
    signingKeyFile: text
      .optional()
      .describe('File with the private key that signs notifications, as a JSON Web Key.'),
  },
  { error: 'expected an object' },
);
