import { A2AError } from '@holdword/protocol';
import { z } from 'zod';
import { field } from './input-fields.ts';
import { agentReply } from './replies/agents-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

export const getAgent = defineTool({
  name: 'getAgent',
  title: 'Describe an agent',
  description:
    'Get detailed information about a specific agent, including its skills. Use this before sendMessage if the ' +
    'description from getAgents is not enough to know what the agent can do or how to ask it.',
  inputSchema: z.object({ agentId: field.agentId('ID of the agent (from getAgents)') }),
  annotations: READ_ONLY,
  async run(context, input) {
    const { agents } = context.session;
    const agent = await agents.getAgentForLlm(input.agentId, 'full');
    if (agent !== null) return agentReply(context, agent);
    const known = agents.agentIds.length === 0 ? 'none' : agents.agentIds.join(', ');
    throw new A2AError('INVALID_PARAMS', `There is no agent "${input.agentId}". Agents: ${known}.`);
  },
});
