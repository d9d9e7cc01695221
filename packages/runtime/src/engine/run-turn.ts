import {
  type JsonObject,
  type Message,
  type SendMessageConfiguration,
  SKILL_METADATA,
  type Task,
} from '@holdword/protocol';
import { backoffDelay, hasErrorCode, pause } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type { Executor, Turn } from '../executors/executor.ts';
import { errorText, type Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { startTurnSpan, type TraceContext } from '../observe/tracing.ts';
import type { Owner } from '../owner.ts';
import type { LiveTask } from './live-task.ts';
import { loadFold } from './task-fold.ts';
import { type DirectAnswer, TurnSink } from './turn-sink.ts';

export interface TurnRun {
  source: TurnSource;
  /** The sender's trace. */
  trace: TraceContext | undefined;
  /** The executor resumes a turn that an earlier process started. */
  resumed: boolean;
}

export interface RunTurnOptions {
  executor: Executor;
  log: Log;
  observer: Observer;
  maxAttempts: number;
}

const FIRST_RETRY_MILLISECONDS = 500;
const LAST_RETRY_MILLISECONDS = 30_000;
const UNEXPECTED = 'The agent failed unexpectedly. The reason is in the server log.';

/**
 * Runs one turn of an executor to a definite outcome: what it wrote, completed if it wrote nothing final, failed if it
 * threw, retried if it asked for that. Resolves when the outcome is on disk. Never rejects.
 *
 * The turn runs inside a span, whose trace is passed to the agent, and its duration is reported to the observer.
 */
export async function runTurn(run: TurnRun, options: RunTurnOptions): Promise<void> {
  const startedAt = performance.now();
  const { live } = run.source;
  const span = startTurnSpan({
    parent: run.trace,
    attributes: () => ({
      'a2a.task.id': live.taskId,
      'a2a.context.id': live.contextId,
      'gen_ai.conversation.id': live.contextId,
      'a2a.resumed': run.resumed,
    }),
  });
  try {
    await span.run(() => makeAttempts(run, span.trace, options));
  } finally {
    const state = live.writtenState;
    span.end(state === 'TASK_STATE_FAILED' ? state : undefined, { 'a2a.task.state': state });
    options.observer.turnEnded?.({ state, milliseconds: performance.now() - startedAt });
  }
}

async function makeAttempts(
  { source, resumed }: TurnRun,
  trace: TraceContext | undefined,
  { executor, log, maxAttempts }: RunTurnOptions,
): Promise<void> {
  const { live, abort, direct } = source;
  const sink = new TurnSink(live, log, direct);
  for (let attempt = 1; abort.reason === undefined; attempt += 1) {
    try {
      // The first attempt of a resumed turn was made by an earlier process.
      const turn = makeTurn(source, resumed ? attempt + 1 : attempt, trace);
      if (resumed && executor.resume !== undefined) await executor.resume(turn, sink);
      else await executor.execute(turn, sink);
      // The outcome is written by the code that aborted the turn: an agent that obeys the signal has not finished.
      if (abort.reason === undefined) await sink.finish();
      break;
    } catch (error) {
      if (abort.reason !== undefined) break;
      if (sink.ended) {
        log.warn('The agent threw after the turn had ended.', {
          taskId: live.taskId,
          error: errorText(error),
        });
        break;
      }
      if (!hasErrorCode(error, RetryableError.code) || attempt >= maxAttempts) {
        await sink.fail(failureText(error, live, log)).catch(ignoreLostTask);
        break;
      }
      await sink.status(`Retrying: ${error.message}`).catch(ignoreLostTask);
      await pause(retryDelay(error, attempt), abort.signal);
    }
  }
  await sink.flush().catch(ignoreLostTask);
}

/** What the agent asked for, exactly; otherwise the usual backoff. */
function retryDelay(error: object, attempt: number): number {
  const { retryAfterMilliseconds } = error as Partial<RetryableError>;
  if (retryAfterMilliseconds !== undefined) return retryAfterMilliseconds;
  return backoffDelay(attempt - 1, {
    firstMilliseconds: FIRST_RETRY_MILLISECONDS,
    longestMilliseconds: LAST_RETRY_MILLISECONDS,
  });
}

/** Errors are recognized by code, not by class: an agent module may load its own copy of this package. */
function failureText(error: unknown, live: LiveTask, log: Log): string {
  if (hasErrorCode(error, TerminalError.code, RetryableError.code)) return error.message;
  log.error('The agent failed unexpectedly.', { taskId: live.taskId, error: stackOf(error) });
  return UNEXPECTED;
}

/** An agent may throw anything, even what throws when it is looked at. */
function stackOf(error: unknown): string {
  try {
    if (error instanceof Error && typeof error.stack === 'string') return error.stack;
  } catch {
    // Shown without it.
  }
  return errorText(error);
}

/** This process may no longer write the task; its new holder ends it. */
function ignoreLostTask(): void {}

/** What stays the same for all attempts of a turn. */
export interface TurnSource {
  store: Store;
  live: LiveTask;
  owner: Owner;
  message: Message;
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  /** The task as it was before the turn, if the turn creates it. */
  newTask?: Task | undefined;
  /** Set if the turn may end in a plain message instead of a task. */
  direct?: DirectAnswer | undefined;
  abort: TurnAbort;
}

/** The turn that an executor receives for one attempt. */
export function makeTurn(source: TurnSource, attempt: number, trace: TraceContext | undefined): Turn {
  return new GivenTurn(source, attempt, trace);
}

/**
 * A class, because most turns never read their signal, which is dear to create, and an object literal with a getter is dearer:
 * docs/decisions/2026-11-17-measured-optimisations.md.
 */
class GivenTurn implements Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  readonly task: Task;
  readonly configuration: SendMessageConfiguration;
  readonly metadata: JsonObject;
  readonly owner: Owner;
  readonly mayAnswerDirectly: boolean;
  readonly attempt: number;
  declare readonly checkpoint?: JsonObject;
  declare readonly trace?: TraceContext;
  readonly contextHistory: Turn['contextHistory'];
  readonly #abort: TurnAbort;

  constructor(source: TurnSource, attempt: number, trace: TraceContext | undefined) {
    const { live } = source;
    this.taskId = live.taskId;
    this.contextId = live.contextId;
    this.message = source.message;
    this.task = live.committed?.toTask() ?? (source.newTask as Task);
    this.configuration = source.configuration;
    this.metadata = source.metadata;
    this.owner = source.owner;
    this.mayAnswerDirectly = source.direct?.open === true;
    this.attempt = attempt;
    const checkpoint = live.committed?.request.checkpoint;
    if (checkpoint !== undefined) this.checkpoint = checkpoint;
    if (trace !== undefined) this.trace = trace;
    this.#abort = source.abort;
    this.contextHistory = (limit) => readContextHistory(source.store, live, limit);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get skill(): string | undefined {
    const skill = this.message.metadata?.[SKILL_METADATA] ?? this.metadata[SKILL_METADATA];
    return typeof skill === 'string' && skill !== '' ? skill : undefined;
  }
}

/** Why a turn was aborted. */
export type TurnAbortReason = 'canceled' | 'stopped' | 'lost';

/** Ends a turn from outside, once. */
export class TurnAbort {
  readonly #controller = new AbortController();
  #reason: TurnAbortReason | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the turn was aborted. Undefined if it was not. */
  get reason(): TurnAbortReason | undefined {
    return this.#reason;
  }

  abort(reason: TurnAbortReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(new TurnAborted(reason));
  }
}

class TurnAborted extends Error {
  override readonly name = 'TurnAborted';
  readonly reason: TurnAbortReason;

  constructor(reason: TurnAbortReason) {
    super(`The turn was ${reason}.`);
    this.reason = reason;
  }
}

const DEFAULT_HISTORY_LIMIT = 100;
const TASKS_READ = 50;

/** Messages of the context's other tasks, oldest first: the newest ones, at most `limit`. */
async function readContextHistory(
  store: Store,
  { taskId, ownerKey, contextId }: Pick<LiveTask, 'taskId' | 'ownerKey' | 'contextId'>,
  limit: number = DEFAULT_HISTORY_LIMIT,
): Promise<Message[]> {
  const page = await store.listTasks({ owner: ownerKey, contextId, limit: TASKS_READ });
  const messages: Message[] = [];
  if (limit <= 0) return messages;
  for (const header of page.tasks) {
    if (header.taskId === taskId) continue;
    const fold = await loadFold(store, header.taskId, header.lastSequence);
    messages.unshift(...(fold?.history ?? []));
    if (messages.length >= limit) break;
  }
  return messages.slice(-limit);
}
