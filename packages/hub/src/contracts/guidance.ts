import { z } from 'zod';

/**
 * How an agent that answers for the hub tells the next steps beside its words: a data part in an artifact of this name.
 * The hub copies them to the top of the result. An agent that writes none gets steps that follow from its task's state.
 */
export const GUIDANCE_ARTIFACT = 'guidance';

export const guidanceSchema = z.object({
  next_action: z.string(),
  next_actions: z.array(z.string()),
  /** Why, for those that read more than the first field. */
  next_actions_info: z.array(z.object({ action: z.string(), reason: z.string() })).optional(),
});
export type Guidance = z.infer<typeof guidanceSchema>;

/**
 * Where a turn of the runtime finds what the hub knows of it, in the metadata of the request.
 */
export const TURN_METADATA = 'urn:holdword:hub:v1';

export const turnMetadataSchema = z.object({
  agentId: z.string(),
  sessionId: z.string(),
  controllerId: z.string().optional(),
  mode: z.string(),
});
export type TurnMetadata = z.infer<typeof turnMetadataSchema>;
