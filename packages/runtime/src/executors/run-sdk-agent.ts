import {
  type Artifact,
  isTerminal,
  type Message,
  type StreamResponse,
  type TaskStatus,
} from '@holdword/protocol';
import {
  type AgentExecutionEvent,
  type AgentExecutor,
  DefaultExecutionEventBus,
  fromSdkStreamResponse,
  RequestContext,
  type SdkStreamResponse,
  ServerCallContext,
  toSdkSendMessageRequest,
  toSdkTask,
} from '@holdword/protocol/internal/sdk';
import { TerminalError } from './executor-errors.ts';
import type { Sink, Turn } from './executor.ts';
import type { Owner } from '../owner.ts';

/** Runs one turn of an agent written for `@a2a-js/sdk`. */
export async function runSdkAgent(agent: AgentExecutor, turn: Turn, sink: Sink): Promise<void> {
  // Aborted while the SDK was loading: the end of the turn is already journaled.
  if (turn.signal.aborted) return;
  const bus = new SdkEventBus(turn, sink);
  const cancel = (): void => void cancelQuietly(agent, turn.taskId, bus);
  turn.signal.addEventListener('abort', cancel, { once: true });
  try {
    await agent.execute(requestContext(turn), bus);
  } finally {
    turn.signal.removeEventListener('abort', cancel);
    bus.finished();
    bus.removeAllListeners();
  }
  bus.throwRejection();
}

/** The end of an aborted turn is already journaled: an agent that fails to stop does not change it. */
async function cancelQuietly(agent: AgentExecutor, taskId: string, bus: SdkEventBus): Promise<void> {
  try {
    await agent.cancelTask(taskId, bus);
  } catch {
    // It runs until its execute returns; events it still publishes are kept as late.
  }
}

function requestContext(turn: Turn): RequestContext {
  const { taskId, contextId, message, configuration, metadata, owner, task } = turn;
  const request = toSdkSendMessageRequest({ message, configuration, metadata, tenant: owner.tenant });
  // The SDK passes a task from its second turn on.
  const earlier = task.history !== undefined && task.history.length > 1 ? toSdkTask(task) : undefined;
  return new RequestContext(request, taskId, contextId, callContext(owner), earlier);
}

function callContext({ tenant, caller, authenticated }: Owner): ServerCallContext {
  return new ServerCallContext({
    user: { isAuthenticated: authenticated, userName: authenticated ? caller : '' },
    requestedVersion: '1.0',
    ...(tenant !== '' && { tenant }),
  });
}

/**
 * The SDK's event bus for one turn: writes what an agent publishes to the turn's sink, in order and at once.
 *
 * An SDK agent publishes its task at the start of each turn, and may publish it again at the end. The task exists already,
 * so only what is new in it is written: artifacts, and the state.
 */
class SdkEventBus extends DefaultExecutionEventBus {
  readonly #turn: Turn;
  readonly #sink: Sink;
  readonly #artifactIds: Set<string>;
  #published = 0;
  #rejection: unknown;

  constructor(turn: Turn, sink: Sink) {
    super();
    this.#turn = turn;
    this.#sink = sink;
    this.#artifactIds = new Set(turn.task.artifacts?.map(({ artifactId }) => artifactId));
  }

  override publish(event: AgentExecutionEvent): void {
    const isFirst = this.#published === 0;
    this.#published += 1;
    this.#write(decode(event), isFirst);
    super.publish(event);
  }

  /** Throws the first error of the sink: publishers do not await their events, so they cannot get it. */
  throwRejection(): void {
    if (this.#rejection !== undefined) throw this.#rejection;
  }

  #write(event: StreamResponse, isFirst: boolean): void {
    if ('message' in event) this.#writeMessage(event.message, isFirst);
    else if ('statusUpdate' in event)
      this.#writeStatus(event.statusUpdate.status, event.statusUpdate.metadata);
    else if ('artifactUpdate' in event) {
      const { artifact, append = false, lastChunk = false, metadata } = event.artifactUpdate;
      this.#writeArtifact(artifact, { append, lastChunk, ...(metadata && { eventMetadata: metadata }) });
    } else {
      const news = (event.task.artifacts ?? []).filter(
        ({ artifactId }) => !this.#artifactIds.has(artifactId),
      );
      for (const artifact of news) this.#writeArtifact(artifact, { lastChunk: true });
      this.#writeTaskStatus(event.task.status, isFirst);
    }
  }

  #writeTaskStatus(status: TaskStatus, isFirst: boolean): void {
    // The first event repeats the task at the start of the turn; only a final state is news.
    const isNews = isFirst ? isTerminal(status.state) : status.message !== undefined || !isRunning(status);
    if (isNews) this.#writeStatus(status);
    else if (isFirst && this.#turn.mayAnswerDirectly) this.#await(this.#sink.status());
  }

  #writeStatus(status: TaskStatus, metadata?: Record<string, unknown>): void {
    // Whatever aborted the turn journals its end.
    if (this.#turn.signal.aborted && status.state === 'TASK_STATE_CANCELED') return;
    const { message } = status;
    this.#await(
      this.#sink.status(message?.parts, {
        state: isRunning(status) ? 'TASK_STATE_WORKING' : status.state,
        ...(metadata && { metadata }),
        ...(message && { message: detailsOf(message) }),
      }),
    );
  }

  #writeArtifact(
    artifact: Artifact,
    chunk: { append?: boolean; lastChunk?: boolean; eventMetadata?: Record<string, unknown> },
  ): void {
    this.#artifactIds.add(artifact.artifactId);
    this.#await(this.#sink.artifact({ ...artifact, ...chunk }));
  }

  /** A message as the first event is the whole answer if the client accepts one; otherwise it completes the task. */
  #writeMessage(message: Message, isFirst: boolean): void {
    const details = detailsOf(message);
    this.#await(
      isFirst && this.#turn.mayAnswerDirectly
        ? this.#sink.message(message.parts, details)
        : this.#sink.status(message.parts, { state: 'TASK_STATE_COMPLETED', message: details }),
    );
  }

  #await(writing: Promise<unknown>): void {
    writing.catch((error: unknown) => (this.#rejection ??= error));
  }
}

function decode(event: AgentExecutionEvent): StreamResponse {
  // The event kinds are the cases of a StreamResponse.
  const payload = { $case: event.kind, value: event.data } as SdkStreamResponse['payload'];
  try {
    return fromSdkStreamResponse({ payload });
  } catch (error) {
    throw new TerminalError(`The agent published a malformed ${event.kind} event.`, { cause: error });
  }
}

function isRunning({ state }: TaskStatus): boolean {
  return state === 'TASK_STATE_SUBMITTED' || state === 'TASK_STATE_WORKING';
}

function detailsOf({ messageId, metadata, extensions, referenceTaskIds }: Message): Partial<Message> {
  return {
    messageId,
    ...(metadata && { metadata }),
    ...(extensions && { extensions }),
    ...(referenceTaskIds && { referenceTaskIds }),
  };
}
