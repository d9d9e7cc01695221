import { z } from 'zod';
import { field } from './input-fields.ts';
import { taskReply } from './replies/task-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

export const getTask = defineTool({
  name: 'getTask',
  title: 'Wait for a task',
  description:
    'Check the progress of a task that is still in progress. Use this after sendMessage returns a task in a ' +
    'non-terminal state (e.g. "working"). It waits until the task ends, asks for input, or the timeout expires, and ' +
    'returns the task with its status and artifacts. If the task is still "working", call getTask again.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that owns the task'),
    taskId: field.taskId('Task ID from a previous sendMessage response'),
    timeout: field.seconds(
      'Override the monitoring timeout in seconds. The agent keeps working after a timeout.',
    ),
    pollInterval: field.seconds(
      'Override the interval between status checks in seconds. Only used for agents that do not stream.',
    ),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, ...options }, callOptions) {
    const task = await context.session.getTask(agentId, taskId, { ...options, ...callOptions });
    return taskReply(context, agentId, task);
  },
});
