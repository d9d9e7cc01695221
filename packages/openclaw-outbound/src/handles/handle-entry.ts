import { z } from 'zod';
import { TRANSPORTS } from '../config/config.ts';

export const handleEntrySchema = z.object({
  handle: z.string(),
  address: z.object({
    baseUrl: z.string(),
    cardPath: z.string(),
    preferredTransports: z.array(z.enum(TRANSPORTS)).min(1),
  }),
  /** The alias under which the agent was called; several targets can share an address. */
  alias: z.string().optional(),
  taskId: z.string(),
  contextId: z.string().optional(),
  /** The last known state of the task, in A2A 1.0 notation. */
  state: z.string().optional(),
  /** The timestamp of that state, from the agent. */
  stateSince: z.string().optional(),
  /** In milliseconds since the Unix epoch. */
  expiresAt: z.number(),
  usedAt: z.number(),
});

/** The task behind a task handle. */
export type HandleEntry = z.infer<typeof handleEntrySchema>;
