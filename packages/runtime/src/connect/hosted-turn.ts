import { randomUUID } from 'node:crypto';
import { isInterrupted, isTerminal, type JsonObject, type Task, type TaskState } from '@holdword/protocol';
import { RetryableError } from '../executors/executor-errors.ts';
import type { ArtifactInput, Sink, StatusOptions, Turn } from '../executors/executor.ts';
import { isoTime } from '../ids-and-times.ts';
import type { EventBatch, Receipt, TurnEnd, TurnEvent, WireTurn } from './wire.ts';

/** What the journal knows of a turn that workers run: enough to continue it after a crash of the host. */
type TurnCheckpoint = {
  /** Since when it waits for a worker, in milliseconds since the epoch. */
  since?: number;
  /** A worker has begun it and did not finish, so the next one resumes it. */
  begun?: boolean;
  /** How many workers had it before. */
  earlier?: number;
  /** The worker that has it, the fence of its lease, and the number of the last event that is stored. */
  worker?: string;
  fence?: string;
  sequence?: number;
  /** Another worker could resume it. */
  resumes?: boolean;
  /** The checkpoint of the agent itself. */
  agent?: JsonObject;
};

/** The turn as it was given to a worker. */
interface TurnLease {
  readonly worker: string;
  readonly fence: string;
  readonly resumes: boolean;
  /** The number of the last event that was received. */
  sequence: number;
  /** It is on disk that the worker has the turn, so the worker may be told. */
  isStored: boolean;
}

export interface HostedTurnOptions {
  readonly owner: WireTurn['owner'];
  readonly waitMilliseconds: number;
  /** The task as it is now. */
  readonly readTask: () => Promise<Task | undefined>;
}

const WHAT_NOW =
  'How far it got is unknown. Check the artifacts, then send the message again with a new message ID.';

/**
 * A turn at its host, while it waits for a worker and while one runs it.
 *
 * Responsible for one worker at a time: the lease is in the journal before the worker hears of the turn, every output is
 * stored with the number of the worker's last event, and a batch with another fence changes nothing. A host that crashes
 * therefore knows who has the turn and what has arrived (J3, J7). Leaves the choice of the worker to AgentPool, and the
 * outcome of an aborted turn to the engine.
 */
export class HostedTurn {
  readonly turn: Turn;
  readonly #sink: Sink;
  readonly #options: HostedTurnOptions;
  readonly #done = Promise.withResolvers<void>();
  #lease: TurnLease | undefined;
  #task: Task;
  #state: TaskState | undefined;
  #earlier: number;
  #agentCheckpoint: JsonObject | undefined;
  #begun: boolean;
  #since: number;
  #isOver = false;
  #unclaimed: (() => void) | undefined;

  constructor(turn: Turn, sink: Sink, options: HostedTurnOptions) {
    this.turn = turn;
    this.#sink = sink;
    this.#options = options;
    this.#task = turn.task;
    // Written only by this class.
    const known: TurnCheckpoint = turn.checkpoint ?? {};
    const { since, begun, earlier, worker, fence, sequence, resumes } = known;
    this.#agentCheckpoint = known.agent;
    this.#since = since ?? Date.now();
    this.#begun = begun === true;
    this.#earlier = earlier ?? 0;
    if (worker !== undefined && fence !== undefined)
      this.#lease = { worker, fence, resumes: resumes === true, sequence: sequence ?? 0, isStored: true };
  }

  get taskId(): string {
    return this.turn.taskId;
  }

  /** Settles when the turn has its outcome here, or is no longer this process's business. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The worker that has it. Undefined while it waits. */
  get worker(): string | undefined {
    return this.#lease?.worker;
  }

  /** Undefined until it is on disk. */
  get fence(): string | undefined {
    return this.#lease?.isStored === true ? this.#lease.fence : undefined;
  }

  /** Another host is taking it, so no worker of this one gets it. */
  get isClaimed(): boolean {
    return this.#unclaimed !== undefined;
  }

  /** The turn cannot be given to a worker until `unclaim`, which calls the function. */
  claim(unclaimed: () => void): void {
    this.#unclaimed = unclaimed;
  }

  unclaim(): void {
    const unclaimed = this.#unclaimed;
    this.#unclaimed = undefined;
    unclaimed?.();
  }

  /** Only a worker whose agent can resume turns may have it. */
  get isBegun(): boolean {
    return this.#begun;
  }

  /** Since when it waits for a worker. */
  get since(): number {
    return this.#since;
  }

  /** Until when it waits, in milliseconds since the epoch. */
  get deadline(): number {
    return this.#since + this.#options.waitMilliseconds;
  }

  get isAborted(): boolean {
    return this.turn.signal.aborted;
  }

  /** Gives the turn to a worker. Resolves when that is on disk; rejects if this process cannot write the task any more. */
  async give(worker: string, { resumes }: { resumes: boolean }): Promise<void> {
    const lease: TurnLease = { worker, fence: randomUUID(), resumes, sequence: 0, isStored: false };
    this.#lease = lease;
    void this.#sink.status(undefined, { checkpoint: this.#checkpoint() });
    await this.#sink.flush();
    lease.isStored = true;
  }

  /** Says that the turn waits. A restart of the host runs it again (J7), and it waits no longer because of that. */
  announceWait(text: string): void {
    const state = this.#begun ? 'TASK_STATE_WORKING' : 'TASK_STATE_SUBMITTED';
    void this.#sink.status(`${text} Waiting since ${isoTime(this.#since)}.`, {
      state,
      checkpoint: this.#checkpoint(),
    });
  }

  /** The worker has lost the turn. Returns whether another one may have it; otherwise it has failed. */
  async takeBack(why: string, { isUntouched = false } = {}): Promise<boolean> {
    const lease = this.#lease;
    if (lease === undefined || this.#isOver) return false;
    if (this.isAborted) {
      this.finish();
      return false;
    }
    if (!isUntouched && !lease.resumes) {
      await this.fail(`Interrupted: ${why} ${WHAT_NOW}`, 'worker-lost');
      return false;
    }
    this.#lease = undefined;
    this.#begun ||= !isUntouched;
    this.#earlier += 1;
    this.#since = Date.now();
    this.announceWait(`${why.charAt(0).toUpperCase()}${why.slice(1)} Another worker is to continue.`);
    await this.#sink.flush();
    // What the lost worker has written is how the next one knows what has been done.
    this.#task = (await this.#options.readTask()) ?? this.#task;
    return true;
  }

  /** Ends the turn with a reason that its readers see. */
  async fail(text: string, reason: string): Promise<void> {
    void this.#sink.status(text, { state: 'TASK_STATE_FAILED', metadata: { reason } });
    await this.#sink.flush();
    this.finish();
  }

  /** The turn is over here. */
  finish(error?: Error): void {
    this.#isOver = true;
    if (error === undefined) this.#done.resolve();
    else this.#done.reject(error);
  }

  /**
   * Stores the events of a batch that are new. They are one commit with their number, so that after a crash either all of
   * them have arrived or none. Undefined if the batch belongs to another lease.
   */
  async receive({ taskId, fence, first, events }: EventBatch): Promise<ReceivedBatch | undefined> {
    const lease = this.#lease;
    if (lease?.fence !== fence || !lease.isStored) return undefined;
    const known = lease.sequence;
    if (first > known + 1) return { receipt: { taskId, fence, outcome: 'stored', acknowledged: known } };
    const fresh = events.slice(known + 1 - first);
    lease.sequence = Math.max(known, first + events.length - 1);
    this.#agentCheckpoint = fresh.map(checkpointIn).findLast(Boolean) ?? this.#agentCheckpoint;
    const checkpoint = this.#checkpoint();
    const lastOutput = fresh.findLastIndex(takesCheckpoint);
    for (const [index, event] of fresh.entries())
      this.#write(event, index === lastOutput ? { checkpoint } : {});
    await this.#sink.flush();
    const last = fresh.at(-1);
    const end = last !== undefined && 'end' in last ? last.end : undefined;
    return {
      receipt: { taskId, fence, outcome: end ? 'ended' : 'stored', acknowledged: lease.sequence },
      end,
    };
  }

  /** The agent has asked for another attempt: nothing of this one counts any more. */
  async retry({
    message = 'The agent asked for another attempt.',
    retryAfterMilliseconds,
  }: TurnEnd): Promise<void> {
    this.#lease = undefined;
    this.#since = Date.now();
    void this.#sink.status(undefined, { state: 'TASK_STATE_SUBMITTED', checkpoint: this.#checkpoint() });
    await this.#sink.flush();
    this.finish(
      new RetryableError(message, retryAfterMilliseconds === undefined ? {} : { retryAfterMilliseconds }),
    );
  }

  /** As the worker gets it. */
  toWire(): WireTurn {
    const { taskId, contextId, message, configuration, metadata, attempt, trace } = this.turn;
    return {
      taskId,
      fence: this.#lease?.fence ?? '',
      contextId,
      message,
      task: this.#task,
      configuration,
      metadata,
      owner: this.#options.owner,
      attempt: attempt + this.#earlier,
      resumed: this.#begun,
      ...(this.#agentCheckpoint && { checkpoint: this.#agentCheckpoint }),
      ...(trace && { trace }),
    };
  }

  #write(event: TurnEvent, { checkpoint }: { checkpoint?: JsonObject }): void {
    // Each promise says only when more can be written; the flush after the batch says whether all of it was.
    if ('artifact' in event) {
      const { checkpoint: _, ...artifact } = event.artifact;
      void this.#sink.artifact({ ...artifact, ...(checkpoint && { checkpoint }) } as ArtifactInput);
    } else if ('status' in event) {
      const { checkpoint: _, parts, ...options } = event.status;
      this.#state = options.state;
      void this.#sink.status(parts, { ...options, ...(checkpoint && { checkpoint }) } as StatusOptions);
    } else if ('ask' in event) {
      const { state, parts, metadata } = event.ask;
      this.#state = state;
      const options = metadata === undefined ? {} : { metadata };
      void (state === 'TASK_STATE_AUTH_REQUIRED'
        ? this.#sink.askAuth(parts, options)
        : this.#sink.askInput(parts, options));
    } else this.#writeEnd(event.end);
  }

  /** The outcome is part of the commit that the worker is told about. */
  #writeEnd({ how, message = 'The agent failed.' }: TurnEnd): void {
    if (this.isAborted) return;
    if (how === 'failed') void this.#sink.fail(message);
    const isOpen = this.#state === undefined || (!isInterrupted(this.#state) && !isTerminal(this.#state));
    if (how === 'returned' && isOpen) void this.#sink.complete();
  }

  #checkpoint(): JsonObject {
    const checkpoint: TurnCheckpoint = { since: this.#since };
    if (this.#agentCheckpoint !== undefined) checkpoint.agent = this.#agentCheckpoint;
    if (this.#begun) checkpoint.begun = true;
    if (this.#earlier > 0) checkpoint.earlier = this.#earlier;
    const { worker, fence, sequence, resumes } = this.#lease ?? {};
    if (worker !== undefined && fence !== undefined && sequence !== undefined) {
      Object.assign(checkpoint, { worker, fence, sequence, resumes });
    }
    return checkpoint;
  }
}

/** What came of a batch, and how the turn ended if it did. */
export interface ReceivedBatch {
  readonly receipt: Receipt;
  readonly end?: TurnEnd | undefined;
}

function checkpointIn(event: TurnEvent): JsonObject | undefined {
  if ('artifact' in event) return event.artifact.checkpoint;
  return 'status' in event ? event.status.checkpoint : undefined;
}

function takesCheckpoint(event: TurnEvent): boolean {
  return 'artifact' in event || ('status' in event && !isTerminal(event.status.state));
}

/** The fence in the checkpoint of a turn, as the journal has it. */
export function fenceIn(checkpoint: JsonObject | undefined): string | undefined {
  return (checkpoint as TurnCheckpoint | undefined)?.fence;
}
