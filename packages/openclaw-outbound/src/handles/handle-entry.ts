import { z } from 'zod';
import { TRANSPORTS } from '../config/config.ts';

export const handleEntrySchema = z.object({
  handle: z.string(),
  address: z.object({
    baseUrl: z.string(),
    cardPath: z.string(),
    preferredTransports: z.array(z.enum(TRANSPORTS)).min(1),
  }),
  /** Under which of the user's names the agent was called: several may have its address. */
  alias: z.string().optional(),
  taskId: z.string(),
  contextId: z.string().optional(),
  /** The state of the task when it was last seen, as A2A 1.0 names it. */
  state: z.string().optional(),
  /** When the task came into that state, as its agent said. */
  stateSince: z.string().optional(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  usedAt: z.number(),
});

/** What a task handle stands for. */
export type HandleEntry = z.infer<typeof handleEntrySchema>;
