import { z } from 'zod';

/** Fields that several tools take. */
export const sessionId = z
  .string()
  .optional()
  .describe('The session to go on in. Without it: the one of the header x-delx-session-id, or your latest.');

export const handoffId = z.string().min(1).describe('The hand-off.');

export const leaseToken = z.string().min(1).describe('The lease_token that the claim answered with.');

export const metric = z.number().min(0);
