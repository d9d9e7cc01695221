import {
  isInterrupted,
  isTerminal,
  SKILL_METADATA,
  type JsonObject,
  type Message,
  type TaskState,
} from '@holdword/protocol';
import { hasErrorCode, shorten } from '@holdword/protocol/internal';
import { metadataOf, partsOf } from '../engine/turn-sink.ts';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type {
  ArtifactInput,
  AskOptions,
  Content,
  Executor,
  Sink,
  StatusOptions,
  Turn,
} from '../executors/executor.ts';
import type { EventSigner } from './event-signer.ts';
import { newId } from '../ids-and-times.ts';
import { errorText, type Log } from '../log.ts';
import {
  MOST_MESSAGE_CHARACTERS,
  type HeldTurn,
  type TurnEnd,
  type TurnEvent,
  type WireTurn,
} from './wire.ts';

export interface WorkerTurnOptions {
  readonly executor: Executor;
  readonly log: Log;
  /** Why the turn is refused. Undefined if it is run. */
  readonly refuse?: ((turn: Turn) => Promise<string | undefined> | string | undefined) | undefined;
  readonly signer?: EventSigner | undefined;
  contextHistory(limit?: number): Promise<Message[]>;
  /** There are events to report. */
  onOutput(): void;
}

/** What an agent may write before it has to wait for the host. */
const ROOM_BYTES = 1024 * 1024;
/** An agent that does not wait is stopped here: memory is bounded by it. */
const MOST_UNREPORTED_BYTES = 64 * 1024 * 1024;
const UNEXPECTED = 'The agent failed unexpectedly. The reason is in the log of its worker.';

/** Why a turn was aborted here: the host said so, or the worker stops or has lost its host. */
type WorkerAbort = 'canceled' | 'stale' | 'released';

/**
 * A turn at a worker: the agent writes, and its events are kept, numbered, until the host has them on disk.
 *
 * Responsible for the numbers, for slowing the agent down to what the host takes, and for one last event that says how the
 * agent left the turn. Leaves it to the worker when to report.
 */
export class WorkerTurn {
  readonly #wire: WireTurn;
  readonly #options: WorkerTurnOptions;
  readonly #controller = new AbortController();
  /** The JSON of events that the host has not acknowledged, with their numbers. */
  #events: { readonly number: number; readonly json: string }[] = [];
  #bytes = 0;
  #written = 0;
  #acknowledged = 0;
  #aborted: WorkerAbort | undefined;
  #isEnded = false;
  #hasOutcome = false;
  #waiting: { number: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  #ran: Promise<void> = Promise.resolve();
  /** A batch is on its way. */
  isReporting = false;

  constructor(wire: WireTurn, options: WorkerTurnOptions) {
    this.#wire = wire;
    this.#options = options;
  }

  get taskId(): string {
    return this.#wire.taskId;
  }

  get fence(): string {
    return this.#wire.fence;
  }

  /** As the host is told. */
  get held(): HeldTurn {
    const { taskId, fence } = this.#wire;
    return { taskId, fence, ...(this.#aborted !== undefined && { aborted: true }) };
  }

  /** The agent is through, and the host knows it. */
  get isOver(): boolean {
    return this.#isEnded && this.#events.length === 0;
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** Settles when the agent is through, whatever the host thinks of the turn. */
  get ran(): Promise<void> {
    return this.#ran;
  }

  /** Runs the agent, after an earlier run of the same task. Never rejects. */
  run(after: Promise<void> = Promise.resolve()): Promise<void> {
    this.#ran = after.then(() => this.#run());
    return this.#ran;
  }

  async #run(): Promise<void> {
    if (this.#aborted !== undefined) return this.end({ how: 'untouched' });
    const { executor, refuse, log } = this.#options;
    const turn = this.#turn();
    const sink = new WorkerSink(this);
    try {
      const refusal = await refuse?.(turn);
      if (refusal !== undefined) await sink.reject(refusal);
      else if (!this.#wire.resumed) await executor.execute(turn, sink);
      else if (executor.resume !== undefined) await executor.resume(turn, sink);
      else throw new TerminalError('This worker cannot resume a turn that another one has begun.');
      this.end({ how: this.#aborted === 'released' && !this.#hasOutcome ? 'released' : 'returned' });
    } catch (error) {
      this.end(this.#endOf(error, log));
    }
  }

  /** Ends the turn, as the agent left it. */
  end(end: TurnEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { how, message } = end;
    const text = message === undefined ? undefined : shorten(message, MOST_MESSAGE_CHARACTERS);
    const outcome = this.#unsaidOutcome(how);
    if (outcome !== undefined) {
      this.#add({ status: { state: outcome, ...(text !== undefined && { parts: partsOf(text) }) } });
      this.#add({ end: { how: 'returned' } });
    } else this.#add({ end: text === undefined ? end : { ...end, message: text } });
  }

  /** The outcome that the host would conclude from the end: one that is to be signed has to be said. */
  #unsaidOutcome(how: TurnEnd['how']): TaskState | undefined {
    if (this.#options.signer === undefined || this.#aborted !== undefined) return undefined;
    if (how === 'failed') return 'TASK_STATE_FAILED';
    return how === 'returned' && !this.#hasOutcome ? 'TASK_STATE_COMPLETED' : undefined;
  }

  /** The host refuses what was written: instead of it, the turn fails. */
  fail(message: string): void {
    this.#events = [];
    this.#bytes = 0;
    this.#written = this.#acknowledged;
    this.#isEnded = false;
    this.end({ how: 'failed', message });
  }

  abort(reason: WorkerAbort): void {
    if (this.#aborted === 'stale') return;
    this.#aborted = reason;
    if (reason === 'stale') this.#drop();
    if (!this.#controller.signal.aborted)
      this.#controller.abort(new Error(`The turn was ${reason === 'stale' ? 'lost' : reason}.`));
  }

  /** The next events as a batch in JSON, at most as many as fit. Undefined if there are none. */
  batch(mostCharacters: number): string | undefined {
    const [first] = this.#events;
    if (first === undefined) return undefined;
    let json = '';
    for (const event of this.#events) {
      if (json !== '' && json.length + event.json.length > mostCharacters) break;
      json += json === '' ? event.json : `,${event.json}`;
    }
    const { taskId, fence } = this.#wire;
    return (
      `{"taskId":${JSON.stringify(taskId)},"fence":${JSON.stringify(fence)},` +
      `"first":${first.number},"events":[${json}]}`
    );
  }

  /** Events up to this number are on the host's disk. */
  acknowledge(number: number): void {
    if (number <= this.#acknowledged) return;
    this.#acknowledged = Math.min(number, this.#written);
    this.#events = this.#events.filter((event) => event.number > this.#acknowledged);
    this.#bytes = this.#events.reduce((sum, { json }) => sum + json.length, 0);
    const ready = this.#waiting.filter((waiter) => waiter.number <= this.#acknowledged);
    this.#waiting = this.#waiting.filter((waiter) => waiter.number > this.#acknowledged);
    for (const { resolve } of ready) resolve();
  }

  /** Adds output of the agent. Resolves when there is room for more. */
  async write(event: TurnEvent): Promise<void> {
    // What a lost turn still says has nowhere to go; the agent learns it from its signal.
    if (this.#isEnded || this.#aborted === 'stale') return;
    if (this.#bytes > MOST_UNREPORTED_BYTES)
      throw new TerminalError('The agent wrote more than its host could take. It should await its output.');
    if (
      'ask' in event ||
      ('status' in event && (isTerminal(event.status.state) || isInterrupted(event.status.state)))
    )
      this.#hasOutcome = true;
    this.#add(event);
    if (this.#bytes > ROOM_BYTES) await this.flushed();
  }

  /** Resolves when everything written so far is on the host's disk. */
  async flushed(): Promise<void> {
    if (this.#aborted === 'stale') throw lostTurn();
    const number = this.#written;
    if (this.#acknowledged >= number) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ number, resolve, reject });
    await promise;
  }

  #add(event: TurnEvent): void {
    if (this.#aborted === 'stale') return;
    this.#written += 1;
    const json = JSON.stringify(this.#options.signer?.signed(event, this.#written, this.#wire) ?? event);
    this.#events.push({ number: this.#written, json });
    this.#bytes += json.length;
    this.#options.onOutput();
  }

  /** The turn belongs to another worker, or is over. */
  #drop(): void {
    this.#events = [];
    this.#bytes = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(lostTurn());
  }

  #endOf(error: unknown, log: Log): TurnEnd {
    if (this.#aborted === 'released' && !this.#hasOutcome) return { how: 'released' };
    if (this.#aborted !== undefined) return { how: 'returned' };
    if (hasErrorCode(error, RetryableError.code)) {
      const { message, retryAfterMilliseconds } = error as RetryableError;
      return {
        how: 'retry',
        message,
        ...(retryAfterMilliseconds !== undefined && { retryAfterMilliseconds }),
      };
    }
    if (hasErrorCode(error, TerminalError.code)) return { how: 'failed', message: error.message };
    log.error('The agent failed unexpectedly.', {
      taskId: this.taskId,
      error: error instanceof Error ? error.stack : errorText(error),
    });
    return { how: 'failed', message: UNEXPECTED };
  }

  #turn(): Turn {
    const { fence: _, resumed: __, ...turn } = this.#wire;
    const { signal } = this.#controller;
    const skill = turn.message.metadata?.[SKILL_METADATA] ?? turn.metadata[SKILL_METADATA];
    return {
      ...turn,
      ...(typeof skill === 'string' && skill !== '' && { skill }),
      mayAnswerDirectly: false,
      signal,
      contextHistory: (limit) => this.#options.contextHistory(limit),
    };
  }
}

function lostTurn(): Error {
  return new Error('The turn belongs to another worker now, or has ended.');
}

/** What an agent at a worker writes to. */
class WorkerSink implements Sink {
  readonly #turn: WorkerTurn;

  constructor(turn: WorkerTurn) {
    this.#turn = turn;
  }

  status(content?: Content, { state = 'TASK_STATE_WORKING', ...options }: StatusOptions = {}): Promise<void> {
    return this.#write(() => ({
      status: {
        state,
        ...optional({ ...options, parts: content === undefined ? undefined : partsOf(content) }),
      },
    }));
  }

  async artifact({ artifactId = newId(), ...input }: ArtifactInput): Promise<string> {
    await this.#write(() => ({ artifact: { ...optional(input), artifactId, parts: partsOf(input.parts) } }));
    return artifactId;
  }

  message(): Promise<void> {
    return this.#write(() => {
      throw new TerminalError('A connected agent answers with a task. It should complete the task instead.');
    });
  }

  askInput(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#ask('TASK_STATE_INPUT_REQUIRED', content, options);
  }

  askAuth(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#ask('TASK_STATE_AUTH_REQUIRED', content, options);
  }

  complete(content?: Content): Promise<void> {
    return this.status(content, { state: 'TASK_STATE_COMPLETED' });
  }

  fail(content: Content): Promise<void> {
    return this.status(content, { state: 'TASK_STATE_FAILED' });
  }

  reject(content: Content): Promise<void> {
    return this.status(content, { state: 'TASK_STATE_REJECTED' });
  }

  flush(): Promise<void> {
    return this.#turn.flushed();
  }

  #ask(
    state: 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_AUTH_REQUIRED',
    content: Content,
    { metadata }: AskOptions,
  ): Promise<void> {
    return this.#write(() => ({ ask: { state, ...optional({ metadata }), parts: partsOf(content) } }));
  }

  /** Output that cannot be encoded fails the task, awaited or not, as it does where the agent is served directly. */
  #write(event: () => TurnEvent): Promise<void> {
    const writing = this.#encode(event);
    writing.catch((error: unknown) => {
      if (hasErrorCode(error, TerminalError.code)) this.#turn.end({ how: 'failed', message: error.message });
    });
    return writing;
  }

  async #encode(event: () => TurnEvent): Promise<void> {
    await this.#turn.write(event());
  }
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Without fields that are undefined, and detached from objects that the agent may go on changing. */
function optional<Fields extends object>(fields: Fields): Defined<Fields> {
  return metadataOf(fields as JsonObject) as Defined<Fields>;
}
