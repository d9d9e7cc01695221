import type { ListTasksRequest, TaskState, V03Task, V03TaskState } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { shortenText } from '../artifacts/data/shorten.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import { field } from './input-fields.ts';
import { listReply } from './replies/list-reply.ts';
import { defineTool, READ_ONLY, type ToolResult } from './tool.ts';

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
