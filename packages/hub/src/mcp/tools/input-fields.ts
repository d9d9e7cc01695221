import { z } from 'zod';

/** Input fields shared by several tools. */
export const sessionId = z
  .string()
  .optional()
  .describe('The session to continue. Default: the x-delx-session-id header, otherwise your latest session.');

export const handoffId = z.string().min(1).describe('Id of the hand-off.');

export const leaseToken = z.string().min(1).describe('The lease_token returned by handoff_claim.');

export const metric = z.number().min(0);
