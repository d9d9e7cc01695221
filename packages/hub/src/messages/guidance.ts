import { z } from 'zod';

/**
 * The name of the artifact in which the answering agent gives next steps, as a data part. The hub copies them to the top
 * level of the result. Without this artifact, the steps are derived from the state of the task.
 */
export const GUIDANCE_ARTIFACT = 'guidance';

export const guidanceSchema = z.object({
  next_action: z.string(),
  next_actions: z.array(z.string()),
  /** The reason for each step. */
  next_actions_info: z.array(z.object({ action: z.string(), reason: z.string() })).optional(),
});
export type Guidance = z.infer<typeof guidanceSchema>;

/** The key under which the hub puts what it knows about a turn into the request's metadata. */
export const TURN_METADATA = 'urn:holdword:hub:v1';

export const turnMetadataSchema = z.object({
  agentId: z.string(),
  sessionId: z.string(),
  controllerId: z.string().optional(),
  mode: z.string(),
});
export type TurnMetadata = z.infer<typeof turnMetadataSchema>;
