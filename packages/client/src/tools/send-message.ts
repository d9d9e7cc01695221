import { z } from 'zod';
import { field } from './input-fields.ts';
import { messageReply, taskReply } from './replies/task-reply.ts';
import { defineTool } from './tool.ts';

export const sendMessage = defineTool({
  name: 'sendMessage',
  title: 'Send a message to an agent',
  description:
    'Send a message to an agent and wait for its answer: a task with its status and artifacts, or a plain message. ' +
    'Large artifacts are shortened; look at all of them with viewTextArtifact and viewDataArtifact. To go on with the ' +
    'conversation give the contextId of the result. When the status is "input-required", answer with the contextId ' +
    'and the id of the task as taskId. When it is still "submitted" or "working", call getTask later; do not send the ' +
    'message again.',
  inputSchema: z.object({
    agentId: field.agentId,
    message: z
      .string()
      .min(1)
      .describe('What to say to the agent. It knows nothing else: give all it needs to do the work.'),
    contextId: z
      .string()
      .nullish()
      .describe('The contextId of an earlier result, to go on with that conversation.'),
    taskId: z.string().nullish().describe('The id of a task that asked for input, to answer it.'),
    timeout: field.seconds('How many seconds to wait for the answer. The agent works on when they are over.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(context, { agentId, message, ...options }, callOptions) {
    const answer = await context.session.sendMessage(agentId, message, { ...options, ...callOptions });
    return answer.kind === 'task' ? taskReply(context, agentId, answer) : messageReply(context, answer);
  },
});
