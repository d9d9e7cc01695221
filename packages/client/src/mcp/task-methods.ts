import { isA2AError } from '@holdword/protocol';
import { asObject, isObject, shorten } from '@holdword/protocol/internal';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { A2ATools } from '../tools/a2a-tools.ts';
import type { ToolDefinition } from '../tools/tool.ts';
import type { McpTasks, PolledTasks, TaskCall, TaskSnapshot } from './mcp-tasks.ts';
import { type Asking, askingOf } from './task-elicitation.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const REQUIRED = { extensions: { [EXTENSION]: {} } };

/** The tools that wait for a task of an agent. */
export const WAITING_TOOLS: ReadonlySet<string> = new Set(['sendMessage', 'getTask']);

const paramsSchema = z.looseObject({ taskId: z.string() });

/** Declares the extension on a server and serves its methods. */
export function registerTaskMethods({ server }: McpServer, tasks: PolledTasks): void {
  server.registerCapabilities(REQUIRED);
  const params = paramsSchema;
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    requireExtension(context);
    const snapshot = await readable(tasks.get(taskId));
    if (snapshot === undefined) throw unknownTask(taskId);
    return detailedTask(snapshot);
  });
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, context) => {
    requireExtension(context);
    // The SDK has moved them out of the parameters, as it does for every request.
    const { inputResponses } = context.mcpReq;
    if (inputResponses === undefined)
      throw invalidParams('inputResponses: expected an object, found nothing.');
    if (!(await readable(tasks.update(taskId, inputResponses)))) throw unknownTask(taskId);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    requireExtension(context);
    if (!(await readable(tasks.cancel(taskId)))) throw unknownTask(taskId);
    return {};
  });
}

/** Answers a call with a task. Undefined if it has to be answered without one. */
export async function createTask(
  tasks: McpTasks,
  owner: string,
  { tool, input, context, tools }: ToolCall,
): Promise<CallToolResult | undefined> {
  if (!declaresTasks(context) || !WAITING_TOOLS.has(tool.name)) return undefined;
  const call = taskCallOf(tool, input, tools, context);
  // A task that cannot be stored is not promised: the host gets its answer as other hosts do.
  const snapshot = call && (await tasks.create(owner, call).catch(() => undefined));
  return snapshot && createdTask(snapshot);
}

/** The answer to a call that became a task. */
export function createdTask(snapshot: TaskSnapshot): CallToolResult {
  return { ...taskOf(snapshot), resultType: 'task', content: [] };
}

/** Whether the host has declared the extension on this request. */
export function declaresTasks(context: ServerContext): boolean {
  return isObject(asObject(capabilitiesOf(context)['extensions'])[EXTENSION]);
}

/** How the host of this request can ask its user. */
export function askingIn(context: ServerContext): Asking {
  return askingOf(capabilitiesOf(context));
}

export interface ToolCall {
  readonly tool: ToolDefinition;
  readonly input: Record<string, unknown>;
  readonly context: ServerContext;
  readonly tools: A2ATools;
}

const callSchema = z.object({
  agentId: z.string(),
  message: z.string().optional(),
  contextId: z.string().nullish(),
  taskId: z.string().nullish(),
  timeout: z.number().nullish(),
  pollInterval: z.number().nullish(),
});

/** Undefined if the tool would refuse the arguments: its error needs no task. */
function taskCallOf(
  tool: ToolDefinition,
  input: Record<string, unknown>,
  { session }: A2ATools,
  context: ServerContext,
): TaskCall | undefined {
  const checked = tool.inputSchema.strict().safeParse(input);
  if (!checked.success) return undefined;
  const { agentId, message, contextId, taskId, timeout, pollInterval } = callSchema.parse(checked.data);
  if (!session.agents.agentIds.includes(agentId)) return undefined;
  const named = { ...(contextId && { contextId }), ...(taskId && { taskId }) };
  return {
    agentId,
    ...(timeout && { timeoutSeconds: timeout }),
    ...(pollInterval && { pollSeconds: pollInterval }),
    asking: askingIn(context),
    ...(message !== undefined && { outgoing: { parts: [{ text: message }], ...named } }),
    ...(taskId && { remote: { taskId } }),
  };
}

function capabilitiesOf({ mcpReq }: ServerContext): Record<string, unknown> {
  return asObject(asObject(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
}

function requireExtension(context: ServerContext): void {
  if (declaresTasks(context)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: REQUIRED },
    `Declare the extension ${EXTENSION} in the client capabilities of this request.`,
  );
}

const MAX_SHOWN = 100;

function unknownTask(taskId: string): ProtocolError {
  return invalidParams(
    `There is no task "${shorten(taskId, MAX_SHOWN)}". It may have expired: tasks are kept for the time in ttlMs.`,
  );
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** What is wrong with the storage of this server is not for hosts. */
async function readable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (isA2AError(error)) throw invalidParams(`The answer does not fit the form. ${error.message}`);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The task could not be read or stored. Check where this server stores its data.',
    );
  }
}

/** A task of the extension, without what its state adds. */
function taskOf(snapshot: TaskSnapshot): Record<string, unknown> {
  const { task, statusMessage, updatedAt, ttlMilliseconds } = snapshot;
  return {
    taskId: task.taskId,
    status: task.end?.status ?? (task.question === undefined ? 'working' : 'input_required'),
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttlMilliseconds,
    ...(task.end === undefined && { pollIntervalMs: pollMilliseconds(Date.now() - task.changedAt) }),
  };
}

const MIN_POLL_MILLISECONDS = 500;
const MAX_POLL_MILLISECONDS = 30_000;

/** A tenth of what it has taken so far: the host then learns the result at most a tenth later, at any age. */
export function pollMilliseconds(age: number): number {
  return Math.round(Math.min(MAX_POLL_MILLISECONDS, Math.max(MIN_POLL_MILLISECONDS, age / 10)));
}

function detailedTask(snapshot: TaskSnapshot): Record<string, unknown> {
  const { end, question } = snapshot.task;
  const task = taskOf(snapshot);
  // As the call itself would have been answered, where the SDK adds the type.
  if (end?.status === 'completed') return { ...task, result: { ...end.result, resultType: 'complete' } };
  if (end?.status === 'failed') return { ...task, statusMessage: end.error.message, error: end.error };
  if (end !== undefined || question === undefined) return task;
  return { ...task, inputRequests: { [question.key]: question.request } };
}
