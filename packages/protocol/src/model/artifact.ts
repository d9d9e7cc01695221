import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';
import { partSchema } from './part.ts';

export const artifactSchema = z.object({
  artifactId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partSchema).min(1),
  metadata: jsonObjectSchema.optional(),
  extensions: z.array(z.string()).optional(),
});
/** A result of a task. */
export type Artifact = z.infer<typeof artifactSchema>;
