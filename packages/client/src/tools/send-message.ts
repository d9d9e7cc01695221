import { z } from 'zod';
import { field } from './input-fields.ts';
import { messageReply, taskReply } from './replies/task-reply.ts';
import { defineTool } from './tool.ts';

export const sendMessage = defineTool({
  name: 'sendMessage',
  title: 'Send a message to an agent',
  description:
    "Send a message to an agent and receive a structured response. The response includes the agent's reply and any " +
    'generated Artifacts. Artifacts are automatically minimized to fit the context window; view a minimized one in full ' +
    'with viewTextArtifact or viewDataArtifact. To continue the conversation, pass the contextId of the response. If the ' +
    'state is "input-required", answer with the contextId and with the id of the task as taskId. If it is still ' +
    '"submitted" or "working", call getTask later; do not send the message again.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent to message (from getAgents)'),
    message: z
      .string()
      .min(1)
      .describe(
        'The message content to send. The agent knows nothing else, so include everything it needs to do the work.',
      ),
    contextId: z.string().nullish().describe('Continue an existing conversation by providing its context ID'),
    taskId: z.string().nullish().describe('Attach to an existing task (for input-required flows)'),
    timeout: field.seconds(
      'Override the default timeout in seconds. The agent keeps working after a timeout.',
    ),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(context, { agentId, message, ...options }, callOptions) {
    const answer = await context.session.sendMessage(agentId, message, { ...options, ...callOptions });
    return answer.kind === 'task' ? taskReply(context, agentId, answer) : messageReply(context, answer);
  },
});
