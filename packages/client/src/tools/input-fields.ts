import { z } from 'zod';

const MAX_WAIT_SECONDS = 24 * 60 * 60;

/** Input fields shared by several tools. Models read the descriptions; optional fields can be null. */
export const field = {
  agentId: (description: string) => z.string().min(1).describe(description),
  taskId: (description: string) => z.string().min(1).describe(description),
  artifactId: z.string().min(1).describe("The artifact's unique identifier"),
  jsonPath: z
    .string()
    .nullish()
    .describe(
      'Dot-separated path to navigate into the data (e.g. "results.items"). "items[0].name" and "items[*].name" work ' +
        'as well.',
    ),
  seconds: (description: string) =>
    z.number().positive().max(MAX_WAIT_SECONDS).nullish().describe(description),
};
