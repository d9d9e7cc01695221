import { z } from 'zod';

const MAX_WAIT_SECONDS = 24 * 60 * 60;

/** Fields that several tools take. Their descriptions are for the model; what is not given may be null. */
export const field = {
  agentId: z.string().min(1).describe('Id of the agent, from getAgents.'),
  taskId: z.string().min(1).describe('Id of the task, from an earlier sendMessage.'),
  artifactId: z.string().min(1).describe('Id of the artifact, from the artifacts of the task.'),
  jsonPath: z
    .string()
    .nullish()
    .describe(
      'Names separated by dots that lead into the data, for example "results.items" or "items[0].name".',
    ),
  seconds: (description: string) =>
    z.number().positive().max(MAX_WAIT_SECONDS).nullish().describe(description),
};
