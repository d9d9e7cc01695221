import { z } from 'zod';
import { field } from './input-fields.ts';
import { taskReply } from './replies/task-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

export const getTask = defineTool({
  name: 'getTask',
  title: 'Wait for a task',
  description:
    'Get a task as it is now, with its status and artifacts. Use this after sendMessage gave a task that is still ' +
    '"submitted" or "working": it waits until the task ends, asks for input, or the time is up. When it is still ' +
    '"working" afterwards, call it again.',
  inputSchema: z.object({
    agentId: field.agentId,
    taskId: field.taskId,
    timeout: field.seconds('How many seconds to wait for the task. The agent works on when they are over.'),
    pollInterval: field.seconds(
      'How many seconds lie between two questions to an agent that does not stream.',
    ),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, ...options }, callOptions) {
    const task = await context.session.getTask(agentId, taskId, { ...options, ...callOptions });
    return taskReply(context, agentId, task);
  },
});
