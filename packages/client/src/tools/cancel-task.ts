import { z } from 'zod';
import { field } from './input-fields.ts';
import { taskReply } from './replies/task-reply.ts';
import { defineTool } from './tool.ts';

export const cancelTask = defineTool({
  name: 'cancelTask',
  title: 'Cancel a task',
  description:
    'Ask an agent to stop working on a task. Use this when the work of the task is no longer wanted. A task that has ' +
    'ended cannot be canceled.',
  inputSchema: z.object({ agentId: field.agentId, taskId: field.taskId }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run(context, { agentId, taskId }, { signal }) {
    return taskReply(context, agentId, await context.session.cancelTask(agentId, taskId, { signal }));
  },
});
