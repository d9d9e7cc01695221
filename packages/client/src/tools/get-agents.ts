import { z } from 'zod';
import { agentsReply } from './replies/agents-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

export const getAgents = defineTool({
  name: 'getAgents',
  title: 'List agents',
  description:
    'List all available agents with their names and descriptions. Use this first, to find the agent whose description ' +
    'fits the work. The keys of the result are the agent IDs that the other tools take. An agent with an "error" cannot ' +
    'be reached at the moment.',
  inputSchema: z.object({}),
  annotations: READ_ONLY,
  async run(context) {
    return agentsReply(context, await context.session.agents.getAgentsForLlm('basic'));
  },
});
