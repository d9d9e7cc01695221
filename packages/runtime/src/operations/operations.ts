import type { OperationName, ProtocolVersion } from '@holdword/protocol';
import {
  type OperationRequest,
  type OperationResponse,
  type StreamingOperation,
  withGeneration,
} from '@holdword/protocol/internal';
import type { StreamFrame } from '../engine/live-task.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { Owner } from '../owner.ts';

/**
 * The A2A operations of an agent, independent of any binding: `operations.getTask({ id }, context)`. Requests have been
 * validated by their schema; results are A2A 1.0 JSON values. Every failure is an A2AError.
 *
 * An operation that streams resolves when the stream may start, so that an error before that is an ordinary error
 * response, unless it comes late. GetExtendedAgentCard is not among them, because the cards belong to the server.
 */
export type Operations = {
  readonly [Name in Exclude<OperationName, 'getExtendedAgentCard'>]: (
    request: OperationRequest<Name>,
    context: RequestContext,
  ) => Promise<OperationResult<Name>>;
};

/** Every operation of A2A, as a server offers them. */
export type AllOperations = { readonly [Name in OperationName]: Operation<Name> };

/** One A2A operation. */
export type Operation<Name extends OperationName> = (
  request: OperationRequest<Name>,
  context: RequestContext,
) => Promise<OperationResult<Name>>;

/** What an operation resolves with. */
export type OperationResult<Name extends OperationName> = Name extends StreamingOperation
  ? EventStream
  : OperationResponse<Name>;

/** The frames of a stream, pulled in batches: a slow reader blocks nothing and costs no memory (J5). */
export type EventStream = AsyncIterable<readonly StreamFrame[]>;

export type { StreamFrame };

/** The context of an incoming request: who calls and how, the same for every binding. */
export interface RequestContext {
  readonly owner: Owner;
  /**
   * The client's version of A2A. Push notifications are sent in it; from 1.1 on, tasks and events have generations.
   * @default '1.0'
   */
  readonly version?: ProtocolVersion | undefined;
  /** The extension URIs that the client declared. */
  readonly extensions: ReadonlySet<string>;
  /** From the `Idempotency-Key` header or metadata. */
  readonly idempotencyKey?: string | undefined;
  /**
   * From `Last-Event-ID` or the service parameter of the resume extension: the last sequence number that the client
   * received.
   */
  readonly resumeAfter?: number | undefined;
  /** From `traceparent` and `tracestate`. */
  readonly trace?: TraceContext | undefined;
  /**
   * The caller writes values piece by piece, so that the lists of a large task may be read while they are written. Others get
   * the task whole, or an error if it is too large for that.
   * @internal
   */
  readonly readsPieces?: boolean | undefined;
  /**
   * Called when a message is about to continue a task and no other turn of it can start before. Rejects if the caller may not
   * do that any more: the message may have waited for other turns.
   * @internal
   */
  readonly mayContinue?: (() => Promise<void>) | undefined;
  /** Is told which task the request is about, once that is known. */
  onTask?(taskId: string): void;
  /** Fires when the client disconnects. That ends waiting and streaming, never the task. */
  readonly signal: AbortSignal;
}

/** Frames that are known already, then those of a stream. */
export function framesFirst(first: readonly StreamFrame[], rest?: EventStream): EventStream {
  return new FramesFirst(first, rest?.[Symbol.asyncIterator]());
}

type Frames = IteratorResult<readonly StreamFrame[], void>;

/** Not a generator, which would keep the first frames, and itself, in memory for as long as the rest is idle. */
class FramesFirst implements AsyncIterableIterator<readonly StreamFrame[], void, undefined> {
  #first: readonly StreamFrame[] | undefined;
  readonly #rest: AsyncIterator<readonly StreamFrame[], void, undefined> | undefined;

  constructor(
    first: readonly StreamFrame[],
    rest: AsyncIterator<readonly StreamFrame[], void, undefined> | undefined,
  ) {
    this.#first = first;
    this.#rest = rest;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Frames> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return Promise.resolve({ value: first, done: false });
    return this.#rest?.next() ?? Promise.resolve({ value: undefined, done: true });
  }

  return(): Promise<Frames> {
    this.#first = undefined;
    return this.#rest?.return?.() ?? Promise.resolve({ value: undefined, done: true });
  }
}

/** The frames of a stream with their generations, for callers of A2A 1.1. */
export function numberedFrames(stream: EventStream): EventStream {
  return { [Symbol.asyncIterator]: () => new NumberedFrames(stream[Symbol.asyncIterator]()) };
}

/** Not a generator, which would keep the last frames in memory for as long as the stream is idle. */
class NumberedFrames implements AsyncIterator<readonly StreamFrame[], void, undefined> {
  readonly #frames: AsyncIterator<readonly StreamFrame[], void, undefined>;

  constructor(frames: AsyncIterator<readonly StreamFrame[], void, undefined>) {
    this.#frames = frames;
  }

  async next(): Promise<Frames> {
    const { done, value } = await this.#frames.next();
    return done === true ? { done, value } : { done: false, value: value.map(numberedFrame) };
  }

  async return(): Promise<Frames> {
    return (await this.#frames.return?.()) ?? { value: undefined, done: true };
  }
}

/** A frame without a sequence number is a plain message, which belongs to no task. */
function numberedFrame(frame: StreamFrame): StreamFrame {
  const { json, lazy, sequence } = frame;
  if (sequence === undefined) return frame;
  if (lazy === undefined) return { ...frame, json: withGeneration(json, sequence) };
  return { ...frame, lazy: { task: { ...lazy.task, generation: String(sequence) } } };
}

/** One stream after the other. */
export async function* inOrder(
  ...streams: EventStream[]
): AsyncGenerator<readonly StreamFrame[], void, undefined> {
  for (const stream of streams) yield* stream;
}
