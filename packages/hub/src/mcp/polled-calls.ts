import { randomBytes } from 'node:crypto';
import {
  askingIn,
  askingSchema,
  createdTask,
  declaresTasks,
  elicitationOf,
  type PolledTasks,
  readAnswer,
  taskEndSchema,
  taskQuestionSchema,
  type TaskSnapshot,
} from '@holdword/client/internal/mcp';
import {
  isA2AError,
  type JsonObject,
  type Part,
  type V03Message,
  type V03TaskState,
  type V03TaskStatus,
} from '@holdword/protocol';
import { asObject, pause } from '@holdword/protocol/internal';
import { headerValue } from '@holdword/runtime';
import type { Store } from '@holdword/store';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HubError } from '../wire/hub-error.ts';
import { timeKey } from '../wire/times.ts';
import { contentOf, type HubTool, type ToolHub, toolError, type ToolOutcome } from './hub-tool.ts';

/** The calls that became tasks of hosts, by the time of the call. */
export const POLLED_CALLS = 'hub-polled-calls';
/** How long a call can be asked for. */
export const POLLED_CALL_HOURS = 7 * 24;

const TTL = POLLED_CALL_HOURS * 3_600_000;
/** How questions name the agent that answers. */
const AGENT_NAME = 'hub';
/** An agent that answers within this time, such as the built-in responder, needs no task. */
const PATIENCE_MILLISECONDS = 1_000;
const FIRST_LOOK_MILLISECONDS = 10;

const callSchema = z.object({
  taskId: z.string(),
  agentId: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** The idempotency key of its message. */
  key: z.string(),
  createdAt: z.number(),
  changedAt: z.number(),
  asking: askingSchema,
  /** The task that the message started or continued, its session, and how the session was found. */
  remote: z.object({ taskId: z.string(), sessionId: z.string(), resolution: z.unknown() }),
  /** Number of questions so far, from which the next key is made. */
  questions: z.number(),
  question: taskQuestionSchema.optional(),
  /** The mark of the question that the user has answered or declined. */
  answered: z.object({ mark: z.string(), isDeclined: z.boolean() }).optional(),
  isCanceled: z.boolean().optional(),
  end: taskEndSchema.optional(),
});
type PolledCall = z.infer<typeof callSchema>;

/** Only a caller that was told the id knows it: it cannot be guessed. */
const TASK_ID = /^([0-9a-z]{8,9})-[0-9a-f]{64}$/;
const ASKING = new Set<unknown>(['input-required', 'auth-required'] satisfies V03TaskState[]);
const RUNNING = new Set<unknown>(['submitted', 'working'] satisfies V03TaskState[]);

export type CallTool = (name: string, input: JsonObject, hub: ToolHub) => Promise<ToolOutcome>;

/**
 * Calls of tools that wait for the agent that answers, as durable tasks of MCP (`io.modelcontextprotocol/tasks`), for one request.
 *
 * A call is a record next to the task of its message, whose journal has its state, so that any replica answers for it, also after
 * a restart. Its message has an idempotency key (J8): sent again when the agent has answered, it returns the answer that the tool
 * waits for, and starts nothing. Leaves the protocol to the client's `task-methods`, where the questions are made as well.
 */
export class PolledCalls implements PolledTasks {
  readonly #hub: ToolHub;
  readonly #call: CallTool;
  readonly #store: Store;
  readonly #now: () => number;

  constructor(hub: ToolHub, call: CallTool) {
    this.#hub = hub;
    this.#call = call;
    ({ store: this.#store, now: this.#now } = hub.context);
  }

  /** Undefined if the call has to be answered as for hosts without tasks. */
  async start(tool: HubTool, input: JsonObject, context: ServerContext): Promise<CallToolResult | undefined> {
    if (tool.waits !== true || !declaresTasks(context)) return undefined;
    const now = this.#now();
    const taskId = `${now.toString(36)}-${randomBytes(32).toString('hex')}`;
    const key = headerValue(this.#hub.requestContext.headers, 'idempotency-key') ?? `mcp:${taskId}`;
    const outcome = await this.#call(tool.name, input, this.#hub.sending({ key }));
    if (!outcome.ok) return contentOf(outcome);
    const { new_session: _started, ...again } = input;
    const {
      task_id: remoteId,
      session_id: sessionId,
      session_resolution: resolution,
      status,
    } = outcome.result;
    const call: PolledCall = {
      taskId,
      agentId: await this.#agentId(),
      tool: tool.name,
      input: again,
      key,
      createdAt: now,
      changedAt: now,
      asking: askingIn(context),
      remote: { taskId: String(remoteId), sessionId: String(sessionId), resolution },
      questions: 0,
    };
    const first = asObject(status)['state'];
    const state = RUNNING.has(first) ? await this.#stateAfterAMoment(call) : first;
    const canAsk = call.asking.form || call.asking.url;
    if (RUNNING.has(state) || (ASKING.has(state) && canAsk)) {
      await this.#store.putRecord(POLLED_CALLS, keyOf(call), encode(call));
      return createdTask(snapshotOf(await this.#advance(call)));
    }
    return contentOf(state === first ? outcome : await this.#answer(call));
  }

  async get(taskId: string): Promise<TaskSnapshot | undefined> {
    const call = await this.#find(taskId);
    return call && snapshotOf(await this.#advance(call));
  }

  async update(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<boolean> {
    const call = await this.#find(taskId);
    if (call === undefined) return false;
    const { question, ...rest } = call;
    if (question === undefined || !Object.hasOwn(responses, question.key)) return true;
    const answer = readAnswer(question, responses[question.key]);
    const isDeclined = answer === 'declined';
    // With a key: if this process dies before the answer is recorded, the host sends it again, and the agent gets it once.
    if (!isDeclined) await this.#reply(call, question.key, answer);
    const answered = { mark: question.mark, isDeclined };
    await this.#change(call, { ...rest, answered, changedAt: this.#now() });
    return true;
  }

  async cancel(taskId: string): Promise<boolean> {
    const call = await this.#find(taskId);
    if (call === undefined) return false;
    if (call.end !== undefined) return true;
    await this.#change(call, { ...call, isCanceled: true });
    try {
      await this.#hubOf(call).method('tasks/cancel', subjectOf(call));
    } catch (error) {
      // It has ended, or its agent does not cancel it: the next request for the task tells.
      if (!(error instanceof HubError)) throw error;
    }
    return true;
  }

  async #find(taskId: string): Promise<PolledCall | undefined> {
    const agentId = await this.#agentId();
    const createdAt = Number.parseInt(TASK_ID.exec(taskId)?.[1] ?? '', 36);
    if (!(createdAt + TTL > this.#now())) return undefined;
    const value = await this.#store.getRecord(POLLED_CALLS, keyOf({ taskId, createdAt }));
    const call = value === undefined ? undefined : decode(value);
    return call?.agentId === agentId ? call : undefined;
  }

  /** The agent that the headers authenticate. */
  async #agentId(): Promise<string> {
    const { context, requestContext } = this.#hub;
    return (await context.identities.require(requestContext, {}).catch(refuse)).agentId;
  }

  /** The call after what its task has become. */
  async #advance(call: PolledCall): Promise<PolledCall> {
    if (call.end !== undefined) return call;
    const status = await this.#statusOf(call);
    if (status === undefined) return this.#complete(call);
    if (RUNNING.has(status.state)) return call;
    if (status.state === 'canceled' && call.isCanceled === true) {
      return this.#change(call, { ...call, changedAt: this.#now(), end: { status: 'cancelled' } });
    }
    if (!ASKING.has(status.state)) return this.#complete(call);
    const mark = JSON.stringify([status.state, status.timestamp, status.message?.messageId]);
    if (mark === call.question?.mark) return call;
    if (mark === call.answered?.mark && !call.answered.isDeclined) return call;
    const asked = mark === call.answered?.mark ? undefined : elicitationOf(AGENT_NAME, status, call.asking);
    if (asked === undefined) return this.#complete(call);
    const questions = call.questions + 1;
    const question = { ...asked, key: `question-${questions}`, mark };
    return this.#change(call, { ...call, questions, question, changedAt: this.#now() });
  }

  /** Ends the call with what the tool returns to other hosts. */
  async #complete({ question: _answered, ...call }: PolledCall): Promise<PolledCall> {
    const result = { ...contentOf(await this.#answer(call)) };
    return this.#change(call, { ...call, changedAt: this.#now(), end: { status: 'completed', result } });
  }

  async #answer(call: PolledCall): Promise<ToolOutcome> {
    const outcome = await this.#call(call.tool, call.input, this.#hubOf(call));
    if (!outcome.ok) return outcome;
    return { ok: true, result: { ...outcome.result, session_resolution: call.remote.resolution } };
  }

  /** Answers the agent's question. Agents that do not read data get it as a text as well. */
  async #reply(call: PolledCall, question: string, parts: readonly Part[]): Promise<void> {
    const texts = parts.flatMap(({ data }) => (data === undefined ? [] : [{ text: JSON.stringify(data) }]));
    const message = { role: 'user', parts: [...texts, ...parts] };
    const hub = this.#hub.sending({ key: `${call.key}:${question}`, sessionId: call.remote.sessionId });
    await hub.method('message/send', { ...subjectOf(call), message, profile: 'minimal' }).catch(refuse);
  }

  /** The status of the task; undefined if the caller can no longer read it, which is then what the tool reports. */
  async #statusOf(call: PolledCall): Promise<V03TaskStatus | undefined> {
    try {
      const { status, messages } = await this.#hubOf(call).method('tasks/get', subjectOf(call));
      const [message] = messages as V03Message[];
      return { ...(status as V03TaskStatus), ...(message && { message }) };
    } catch (error) {
      if (error instanceof HubError || (isA2AError(error) && error.code === 'TASK_NOT_FOUND'))
        return undefined;
      throw new Error('The task of a call could not be read.', { cause: error });
    }
  }

  /** The state of the task when it is no longer running, or after a moment. */
  async #stateAfterAMoment(call: PolledCall): Promise<unknown> {
    const until = performance.now() + PATIENCE_MILLISECONDS;
    for (let wait = FIRST_LOOK_MILLISECONDS; ; wait *= 2) {
      const left = until - performance.now();
      await pause(Math.max(1, Math.min(wait, left)), this.#hub.requestContext.signal);
      const status = await this.#statusOf(call);
      if (left <= wait || !RUNNING.has(status?.state)) return status?.state;
    }
  }

  /** Sends the message of a call again. */
  #hubOf({ key, remote: { sessionId } }: PolledCall): ToolHub {
    return this.#hub.sending({ key, sessionId, isRepeated: true });
  }

  /** Stores a change, unless another request was faster: then that is how the call is. */
  async #change(before: PolledCall, after: PolledCall): Promise<PolledCall> {
    if (await this.#store.replaceRecord(POLLED_CALLS, keyOf(after), encode(before), encode(after)))
      return after;
    const value = await this.#store.getRecord(POLLED_CALLS, keyOf(after));
    return value === undefined ? after : decode(value);
  }
}

/** What the hub refuses is not a fault of this server. */
function refuse(error: unknown): never {
  if (!(error instanceof HubError) && !isA2AError(error)) throw error;
  const { message, hint } = toolError(error);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, [message, hint].filter(Boolean).join(' '));
}

/** The task of a call as the methods of the hub name it: a task that was handed over, by its hand-off. */
function subjectOf({ input, remote }: PolledCall): JsonObject {
  const { handoff_id, lease_token } = input;
  return handoff_id === undefined ? { task_id: remote.taskId } : { handoff_id, lease_token };
}

function keyOf({ createdAt, taskId }: Pick<PolledCall, 'createdAt' | 'taskId'>): string {
  return `${timeKey(createdAt)}/${taskId}`;
}

function encode(call: PolledCall): string {
  return JSON.stringify(callSchema.parse(call));
}

function decode(value: string): PolledCall {
  return callSchema.parse(JSON.parse(value));
}

function snapshotOf(task: PolledCall): TaskSnapshot {
  return { task, statusMessage: undefined, updatedAt: task.changedAt, ttlMilliseconds: TTL };
}
