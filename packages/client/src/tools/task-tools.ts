import type { ListTasksRequest, TaskState, V03Message, V03Task, V03TaskState } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { shortenText } from '../artifacts/shorten.ts';
import { withTextStatus } from '../llm/for-llm.ts';
import { minimizeMessage, minimizeTask } from '../llm/minimize-reply.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import { listReply } from './list-reply.ts';
import { defineTool, field, READ_ONLY, type ToolContext, type ToolResult } from './tool.ts';

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

const PAGE_SIZE = 20;
const MAX_MESSAGE_LENGTH = 200;

const STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
] as const satisfies readonly V03TaskState[];

export const listTasks = defineTool({
  name: 'listTasks',
  title: 'List tasks',
  description:
    "List the user's tasks on an agent, newest first, without their artifacts. Use this to find a task whose ID you no " +
    'longer know, then call getTask. Not every agent can list tasks.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent (from getAgents)'),
    contextId: z.string().nullish().describe('Only tasks of this conversation'),
    status: z.enum(STATES).nullish().describe('Only tasks in this state'),
    pageToken: z.string().nullish().describe('nextPageToken of the previous page'),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, contextId, status, pageToken }, { signal }) {
    const query: ListTasksRequest = {
      pageSize: PAGE_SIZE,
      historyLength: 0,
      ...(contextId && { contextId }),
      ...(status && { status: toTaskState(status) }),
      ...(pageToken && { pageToken }),
    };
    const page = await context.session.listTasks(agentId, query, { signal });
    const head = { totalSize: page.totalSize, nextPageToken: page.nextPageToken };
    return listReply(context, head, 'tasks', page.tasks.map(summaryOf));
  },
});

function toTaskState(state: V03TaskState): TaskState {
  return taskStateSchema.parse(`TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`);
}

function summaryOf({ id, contextId, status }: V03Task): ToolResult {
  const text = contentsOfParts(status.message?.parts ?? []).find((content) => content.kind === 'text');
  return {
    id,
    contextId,
    state: status.state,
    ...(status.timestamp !== undefined && { timestamp: status.timestamp }),
    ...(text !== undefined && { message: shortenText(text.text, MAX_MESSAGE_LENGTH) }),
  };
}

const TEXT_TIP = 'Text was minimized. Call viewTextArtifact() to see specific line ranges.';
const DATA_TIP = 'Data was minimized. Call viewDataArtifact() to navigate to specific data.';

/** Fits a task into the budget. */
async function taskReply(context: ToolContext, agentId: string, task: V03Task): Promise<ToolResult> {
  const { session, settings, budget, count, statusMessage } = context;
  const { paths } = await session.getSavedFiles(agentId, task);
  const reply = minimizeTask(task, {
    budget,
    count,
    settings,
    savedFilePaths: paths,
    textTip: TEXT_TIP,
    dataTip: DATA_TIP,
  });
  return statusMessage === 'text' ? withTextStatus(reply) : { ...reply };
}

/** Fits a plain message into the budget. It cannot be viewed later, so there are no tips. */
function messageReply({ settings, budget, count }: ToolContext, message: V03Message): ToolResult {
  return { ...minimizeMessage(message, { budget, count, settings }) };
}
