import { isAllowEntry } from '@holdword/net/internal';
import { flag, integer, text } from '@holdword/runtime/internal';
import { z } from 'zod';

const allowEntry = text.refine(isAllowEntry, {
  error: 'expected a range such as 10.0.0.0/8, an IP address or a host name',
});

/** What the configuration may say of push notifications. */
export const pushSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Whether clients may ask to be notified. Default: true.'),
    allowPrivate: z
      .array(allowEntry, { error: 'expected a list' })
      .optional()
      .describe('Ranges, addresses and hosts that are notified although they are private, also over http.'),
    concurrency: integer('a number of requests', 1, 10_000)
      .optional()
      .describe('Notifications on their way at once. Default: 64.'),
    timeoutSeconds: integer('a number of seconds', 1, 300)
      .optional()
      .describe('How long a receiver may take to answer. Default: 10.'),
    longestPauseSeconds: integer('a number of seconds', 1, 86_400)
      .optional()
      .describe('The longest pause between two attempts. Default: 300.'),
    deadLetterHours: integer('a number of hours', 1, 8760)
      .optional()
      .describe('How long an event is tried before its receiver is given up. Default: 24.'),
    signingKeyFile: text
      .optional()
      .describe('A file with the private key, as a JSON Web Key, that signs notifications.'),
  },
  { error: 'expected an object' },
);
