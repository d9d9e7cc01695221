import { z } from 'zod';
import { field } from './input-fields.ts';
import { taskReply } from './replies/task-reply.ts';
import { defineTool } from './tool.ts';

export const cancelTask = defineTool({
  name: 'cancelTask',
  title: 'Cancel a task',
  description:
    'Cancel a task. Use this when the result of the task is no longer needed. A task that has ended cannot be canceled.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that owns the task'),
    taskId: field.taskId('Task ID from a previous sendMessage response'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run(context, { agentId, taskId }, { signal }) {
    return taskReply(context, agentId, await context.session.cancelTask(agentId, taskId, { signal }));
  },
});
