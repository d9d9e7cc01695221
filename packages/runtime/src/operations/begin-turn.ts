import { createHash } from 'node:crypto';
import {
  A2AError,
  FORK_EXTENSION,
  IDEMPOTENCY_EXTENSION,
  isTerminal,
  type Message,
  type Part,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '@holdword/protocol';
import type { IdempotencyEntry, TaskHeader } from '@holdword/store';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { requireGeneration } from '../engine/generation-guard.ts';
import { newId } from '../ids-and-times.ts';
import { endedTask, IdempotencyKeyTaken } from '../engine/turn-errors.ts';
import type { StartedTurn, TurnInput } from '../engine/turns.ts';
import { ownerKey } from '../owner.ts';
import { type ForkedTask, forkedTask } from './fork-task.ts';
import type { RequestContext } from './operations.ts';
import { beginWithTarget, pushTargetOf, requirePush } from './push-configs.ts';
import { visibleTask } from './tasks.ts';

/** A turn that this request started, or the task that an equal request started before. */
type BegunTurn = StartedTurn | { existingTaskId: string };

/** What SendMessage and SendStreamingMessage have in common: everything up to the response. */
export async function beginTurn(
  engine: Engine,
  request: SendMessageRequest,
  context: RequestContext,
  agent: AgentDescription,
): Promise<BegunTurn> {
  const { message, metadata = {} } = request;
  const pushConfig = request.configuration?.taskPushNotificationConfig;
  const { ifGenerationMatch, ...configuration } = withoutPushConfig(request.configuration);
  checkMediaTypes(agent, message, configuration);
  if (pushConfig !== undefined) requirePush(engine);
  const idempotency = idempotencyOf(request, context);
  if (idempotency !== undefined) {
    const known = await engine.store.findIdempotencyKey(ownerKey(context.owner), idempotency.key);
    if (known !== undefined) return sameIntent(known, idempotency);
  }
  await engine.quota?.requireRoom(context.owner, { isNewTask: !message.taskId });
  const fork =
    metadata[FORK_EXTENSION] === undefined ? undefined : await forkedTask(engine, request, context);
  const input: TurnInput = {
    owner: context.owner,
    message,
    configuration,
    metadata,
    idempotency,
    trace: context.trace,
    mayContinue: context.mayContinue,
    // A plain message leaves nothing behind that could be found by its key, polled for or notified of.
    mayAnswerDirectly:
      idempotency === undefined &&
      pushConfig === undefined &&
      fork === undefined &&
      configuration.returnImmediately !== true,
    begunAs: fork?.begunAs,
  };
  try {
    if (!message.taskId) {
      if (pushConfig === undefined) return await beginNew(engine, input, fork);
      const taskId = newId();
      const begin = () => beginNew(engine, { ...input, taskId }, fork);
      return await notifying(engine, pushConfig, { taskId, delivered: 0 }, context, begin);
    }
    if (context.version === '1.1') input.ifGenerationMatch = ifGenerationMatch;
    const header = await continuableTask(engine, message.taskId, input, context);
    const { taskId, lastSequence: delivered } = header;
    const begin = () => engine.turns.continue(header, input);
    return await notifying(engine, pushConfig, { taskId, delivered }, context, begin);
  } catch (error) {
    if (error instanceof IdempotencyKeyTaken && idempotency !== undefined)
      return sameIntent(error, idempotency);
    throw error;
  }
}

/** Starts the first turn of a new task, unless the task is a fork that waits for its user. */
function beginNew(engine: Engine, input: TurnInput, fork: ForkedTask | undefined): Promise<StartedTurn> {
  if (fork === undefined || fork.starts) return engine.turns.begin(input);
  const { taskId = newId(), idempotency, message } = input;
  const task = fork.waiting({ taskId, contextId: message.contextId || newId() });
  return engine.hold(task, { owner: ownerKey(input.owner), idempotency });
}

/** Neither the executor nor the journal needs its secrets. */
function withoutPushConfig(configuration: SendMessageConfiguration = {}): SendMessageConfiguration {
  if (configuration.taskPushNotificationConfig === undefined) return configuration;
  const { taskPushNotificationConfig: _, ...others } = configuration;
  return others;
}

async function notifying(
  engine: Engine,
  config: TaskPushNotificationConfig | undefined,
  from: { taskId: string; delivered: number },
  context: RequestContext,
  begin: () => Promise<StartedTurn>,
): Promise<StartedTurn> {
  if (config === undefined) return begin();
  const push = requirePush(engine);
  const path = 'configuration.taskPushNotificationConfig.';
  return beginWithTarget(push, await pushTargetOf(push, config, { ...from, path }, context), begin);
}

async function continuableTask(
  engine: Engine,
  taskId: string,
  { message: { contextId }, ifGenerationMatch }: TurnInput,
  context: RequestContext,
): Promise<TaskHeader> {
  const header = await visibleTask(engine, taskId, context);
  if (contextId && contextId !== header.contextId) {
    throw new A2AError(
      'INVALID_PARAMS',
      `Task ${taskId} belongs to a different context than the message. Omit contextId, or use the one of the task.`,
      {
        fields: [
          { field: 'message.contextId', description: `expected ${header.contextId}, found ${contextId}` },
        ],
      },
    );
  }
  requireGeneration(taskId, ifGenerationMatch, header.lastSequence);
  if (isTerminal(header.state)) throw endedTask({ taskId, writtenState: header.state });
  return header;
}

function idempotencyOf(
  request: SendMessageRequest,
  context: RequestContext,
): { key: string; payloadHash: string } | undefined {
  const declared = context.extensions.has(IDEMPOTENCY_EXTENSION) ? request.message.messageId : undefined;
  const key = context.idempotencyKey ?? declared;
  return key === undefined ? undefined : { key, payloadHash: payloadHash(request) };
}

function sameIntent(
  known: IdempotencyEntry,
  mine: { key: string; payloadHash: string },
): { existingTaskId: string } {
  if (known.payloadHash === mine.payloadHash) return { existingTaskId: known.taskId };
  throw new A2AError(
    'IDEMPOTENCY_CONFLICT',
    `The idempotency key was already used with a different message (task ${known.taskId}). Use a new key for a new message.`,
    { metadata: { taskId: known.taskId } },
  );
}

/**
 * What makes two requests the same intent (J8): the message and the request's metadata, whatever the order of their
 * keys. How the sender wants to wait is not part of it: a request may be repeated as a stream.
 */
export function payloadHash(request: SendMessageRequest): string {
  const payload = { message: request.message, metadata: request.metadata };
  return createHash('sha256').update(JSON.stringify(payload, sortKeys)).digest('base64url');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const DEFAULT_MODES: readonly string[] = ['text/plain'];

/** Rejects a message whose parts the agent does not accept, or whose sender accepts nothing that the agent produces. */
export function checkMediaTypes(
  agent: AgentDescription,
  message: Message,
  configuration: SendMessageConfiguration,
): void {
  checkInputs(agent.defaultInputModes ?? DEFAULT_MODES, message.parts);
  // An empty list expresses no preference.
  const accepted = configuration.acceptedOutputModes ?? [];
  const outputs = agent.defaultOutputModes ?? DEFAULT_MODES;
  if (
    accepted.length === 0 ||
    accepted.some((wanted) => outputs.some((mode) => matches(mode, wanted) || matches(wanted, mode)))
  )
    return;
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The agent produces ${outputs.join(', ')}, but acceptedOutputModes only allows ${accepted.join(', ')}. ` +
      "Accept one of the agent's types, or omit acceptedOutputModes.",
    {
      fields: [
        { field: 'configuration.acceptedOutputModes', description: `expected one of ${outputs.join(', ')}` },
      ],
      metadata: { available: outputs.join(', '), accepted: accepted.join(', ') },
    },
  );
}

function checkInputs(inputs: readonly string[], parts: readonly Part[]): void {
  const isRead = (part: Part): boolean => {
    const type = mediaTypeOf(part);
    return inputs.includes(type) || inputs.some((mode) => matches(mode, type));
  };
  if (parts.every(isRead)) return;
  const expected = inputs.join(', ');
  const fields = parts.flatMap((part, index) =>
    isRead(part)
      ? []
      : [
          {
            field: `message.parts[${index}]`,
            description: `expected one of ${expected}, found ${mediaTypeOf(part)}`,
          },
        ],
  );
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The agent does not accept this content: ${fields[0]?.description}.`,
    { fields, metadata: { supported: expected } },
  );
}

function mediaTypeOf(part: Part): string {
  if (part.mediaType) return bareType(part.mediaType);
  if (part.text !== undefined) return 'text/plain';
  return part.data === undefined ? 'application/octet-stream' : 'application/json';
}

/** Without parameters such as the charset, in lower case. */
function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] as string).trim().toLowerCase();
}

/** A mode may be a media type, a range (`image/*`) or, on informal cards, only the top-level type (`text`). */
function matches(mode: string, wanted: string): boolean {
  const range = bareType(mode);
  const type = bareType(wanted);
  if (range === '*/*' || range === '*' || range === type) return true;
  const first = range.includes('/') ? (range.endsWith('/*') ? range.slice(0, -1) : undefined) : `${range}/`;
  return first !== undefined && type.startsWith(first);
}
