import { randomUUID } from 'node:crypto';
import { SIGNATURE_METADATA, type Message } from '@holdword/protocol';
import { pause, withTimeout } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { Executor, Turn } from '../executors/executor.ts';
import { noopLog, type Log, OutageLog } from '../log.ts';
import { EventSigner, type WorkerSigningKey } from './event-signer.ts';
import { HostConnection, HostError, StreamBuffered } from './host-connection.ts';
import { type News, type Welcome, welcomeSchema, type WireTurn, type WorkerState } from './wire.ts';
import { delayAfter, WorkerReports } from './worker-reports.ts';
import { WorkerTurn } from './worker-turn.ts';

/** Which host a worker connects to, and what it runs. */
export interface ConnectWorkerOptions {
  /** The URL of the host: `https://host.example`. Plain http only on this machine. */
  host: string;
  /** The token that `holdword agents add` printed on the host. */
  token: string;
  /** The agent. */
  executor: Executor;
  /**
   * How many turns run at the same time.
   * @default 4
   */
  slots?: number | undefined;
  /**
   * Whether turns of a context that this worker has worked in are kept for it while it is connected.
   * @default false
   */
  affinity?: boolean | undefined;
  /**
   * Whether the worker takes a single turn and ends, as in a serverless function.
   * @default false
   */
  once?: boolean | undefined;
  /**
   * Decides whether a turn is run, by who asks (`turn.owner`) and what. Returns the reason why not, which the caller is shown.
   * @default every turn is run
   */
  refuse?: ((turn: Turn) => Promise<string | undefined> | string | undefined) | undefined;
  /**
   * Signs what the agent says, so that callers can verify it with `verifyEvents` of `@holdword/protocol` and need not trust the host.
   * @default nothing is signed
   */
  signingKey?: WorkerSigningKey | undefined;
  /** Stops the worker, even while it cannot reach its host. */
  signal?: AbortSignal | undefined;
  /** @default a logger that discards everything */
  log?: Log | undefined;
}

/** A worker that is connected to its host, or reconnects. */
export interface ConnectedWorker {
  /** The name under which the host serves the agent. */
  readonly agent: string;
  /** Where callers find the agent. */
  readonly url: string;
  /** The name of the key that signs what the agent says. Undefined if nothing is signed. */
  readonly signingKeyId: string | undefined;
  /** The number of turns that run at the moment. */
  readonly running: number;
  /** Resolves when the worker has ended: it was stopped, or had its one turn. */
  readonly done: Promise<void>;
  /**
   * Takes no more turns and lets running ones finish within the grace period. What is left is given back to the host, for
   * another worker if the agent can resume.
   * @default graceMilliseconds 5000
   */
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

const DEFAULT_SLOTS = 4;
const DEFAULT_GRACE_MILLISECONDS = 5_000;
/** After a stream that did not begin, news are polled for this long. */
const POLLING_MILLISECONDS = 10 * 60_000;
/** A connection that was cut after this long was a good one: the next attempt is made at once. */
const GOOD_MILLISECONDS = 5_000;
const LAST_REPORT_MILLISECONDS = 5_000;
const MOST_FENCES = 10_000;

/**
 * Responsible for running each turn once: a fence that was seen before is ignored, and what the host has not acknowledged is
 * sent again, under the same numbers, until the host has it or says that the turn is another's. Leaves the events of a turn
 * to WorkerTurn and HTTP to HostConnection.
 */
export class Worker implements ConnectedWorker {
  readonly #options: ConnectWorkerOptions;
  readonly #log: Log;
  readonly #connection: HostConnection;
  readonly #signer: EventSigner | undefined;
  /** New for each process, see the wire. */
  readonly #id = randomUUID();
  readonly #turns = new Map<string, WorkerTurn>();
  readonly #reports: WorkerReports;
  readonly #fences = new Set<string>();
  readonly #outage: OutageLog;
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #welcome: Welcome | undefined;
  #greeting: Promise<void> | undefined;
  #slots: number;
  #beats: NodeJS.Timeout | undefined;
  /** When the last request was sent that the host has answered. */
  #heardAt = performance.now();
  #pollsUntil = 0;
  #hostIsBack = new AbortController();
  #stopping: Promise<void> | undefined;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(options: ConnectWorkerOptions) {
    this.#options = options;
    this.#log = options.log ?? noopLog;
    this.#connection = new HostConnection(options.host, options.token);
    this.#signer = options.signingKey && new EventSigner(options.signingKey);
    this.#reports = new WorkerReports({
      connection: this.#connection,
      turns: this.#turns,
      log: this.#log,
      state: () => this.#state,
      onNews: (news, sentAt) => this.#take(news, sentAt),
      onOver: (turn) => this.#forget(turn),
      recover: (error, failures) => this.#recover(error, failures),
      signal: this.#closing.signal,
    });
    this.#slots = options.once === true ? 1 : (options.slots ?? DEFAULT_SLOTS);
    this.#outage = new OutageLog(this.#log, {
      beginning: 'The host cannot be reached. The worker keeps trying; running turns continue.',
      end: 'The host is reached again.',
    });
  }

  get agent(): string {
    return this.#welcome?.agent ?? '';
  }

  get url(): string {
    return this.#welcome?.url ?? '';
  }

  get signingKeyId(): string | undefined {
    return this.#signer?.keyId;
  }

  get running(): number {
    return this.#turns.size;
  }

  get done(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    const { signal } = this.#options;
    for (let failures = 0; this.#welcome === undefined; failures += 1) {
      if (signal?.aborted === true) break;
      try {
        await this.#greet();
      } catch (error) {
        if (error instanceof HostError && error.isRefused) throw error;
        this.#outage.failed(error);
        await pause(delayAfter(error, failures), signal);
      }
    }
    void this.#listen();
    if (signal?.aborted === true) void this.stop();
    else signal?.addEventListener('abort', () => void this.stop(), { once: true });
  }

  stop({ graceMilliseconds = DEFAULT_GRACE_MILLISECONDS } = {}): Promise<void> {
    this.#stopping ??= this.#drain(graceMilliseconds);
    return this.#stopping;
  }

  get #state(): WorkerState {
    return {
      worker: this.#id,
      slots: this.#slots,
      holds: [...this.#turns.values()].map(({ held }) => held),
    };
  }

  async #isGreeted(): Promise<boolean> {
    try {
      await this.#greet();
      return true;
    } catch (error) {
      this.#outage.failed(error);
      return false;
    }
  }

  /** Says hello, once for all that need it. */
  #greet(): Promise<void> {
    this.#greeting ??= this.#hello().finally(() => (this.#greeting = undefined));
    return this.#greeting;
  }

  async #hello(): Promise<void> {
    const { executor, affinity = false, once = false } = this.#options;
    const card = this.#signer === undefined ? executor.card : withSignatures(executor.card, this.#signer);
    const hello = {
      ...this.#state,
      resumes: executor.resume !== undefined,
      affinity,
      once,
      ...(card && { card }),
    };
    const sentAt = performance.now();
    this.#welcome = await this.#connection.post('hello', JSON.stringify(hello), welcomeSchema);
    this.#heard(sentAt);
    // Whoever waits for the host to come back need not wait any longer.
    this.#hostIsBack.abort();
    this.#hostIsBack = new AbortController();
    clearInterval(this.#beats);
    this.#beats = setInterval(() => this.#beat(), this.#welcome.leaseMilliseconds / 3);
  }

  /** Listens for turns until the worker stops. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      try {
        // A host that has nothing to say does not hang up at once, unless it is stopping.
        const isDone = (await this.#hear(startedAt)) || performance.now() - startedAt > GOOD_MILLISECONDS;
        failures = isDone ? 0 : failures + 1;
        if (!isDone) await pause(delayAfter(undefined, failures - 1), signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StreamBuffered) this.#pollsUntil = performance.now() + POLLING_MILLISECONDS;
        else if (performance.now() - startedAt > GOOD_MILLISECONDS) failures = 0;
        await this.#recover(error, failures);
        failures += 1;
      }
    }
  }

  /** Hears news over a stream or, where that is buffered, by polling once. Returns whether there were any. */
  async #hear(startedAt: number): Promise<boolean> {
    const { signal } = this.#closing;
    if (startedAt < this.#pollsUntil) {
      const news = await this.#connection.poll(this.#state, signal);
      this.#take(news, startedAt);
      return news.length > 0;
    }
    let isHeard = false;
    for await (const news of this.#connection.stream(this.#state, signal)) {
      isHeard = true;
      this.#take(news, startedAt);
    }
    return isHeard;
  }

  async #recover(error: unknown, failures: number): Promise<void> {
    if (error instanceof HostError && error.isUnknownWorker) {
      if ((await this.#isGreeted()) && failures === 0) return;
    } else this.#outage.failed(error);
    await pause(
      delayAfter(error, failures),
      AbortSignal.any([this.#closing.signal, this.#hostIsBack.signal]),
    );
  }

  #heard(sentAt: number): void {
    this.#heardAt = Math.max(this.#heardAt, sentAt);
    this.#outage.succeeded();
  }

  #take(news: readonly News[], sentAt: number): void {
    this.#heard(sentAt);
    for (const each of news) {
      if ('turn' in each) this.#begin(each.turn);
      else if ('abort' in each) this.#abort(each.abort);
      else this.#options.executor.release?.(each.release.taskId);
    }
  }

  #begin(wire: WireTurn): void {
    const { taskId, fence } = wire;
    if (this.#fences.has(fence)) return;
    this.#fences.add(fence);
    const [oldest] = this.#fences;
    if (oldest !== undefined && this.#fences.size > MOST_FENCES) this.#fences.delete(oldest);
    // A later lease of the same task: the host has taken the earlier one back.
    const earlier = this.#turns.get(taskId);
    earlier?.abort('stale');
    const { executor, refuse } = this.#options;
    const turn = new WorkerTurn(wire, {
      executor,
      log: this.#log,
      refuse,
      signer: this.#signer,
      contextHistory: (limit) => this.#history(wire, limit),
      onOutput: () => this.#reports.plan(),
    });
    this.#turns.set(taskId, turn);
    if (this.#slots === 0 || this.#turns.size > 2 * this.#slots) {
      // It was on its way while the worker began to stop, or is more than was asked for. Turns that end may overlap with others.
      turn.end({ how: 'untouched' });
      return;
    }
    if (this.#options.once === true) this.#slots = 0;
    void this.#run(turn, earlier?.ran);
  }

  /** What was on its way while this process stood still may be another worker's turn by now, so the host is asked first. */
  async #run(turn: WorkerTurn, after: Promise<void> | undefined): Promise<void> {
    const { leaseMilliseconds = Infinity } = this.#welcome ?? {};
    let isFresh = performance.now() - this.#heardAt < leaseMilliseconds / 2;
    while (!isFresh && !this.#closing.signal.aborted) isFresh = await this.#reports.sayAlive();
    if (this.#turns.get(turn.taskId) === turn) await turn.run(after);
  }

  #abort({ taskId, fence, reason }: Extract<News, { abort: unknown }>['abort']): void {
    const turn = this.#turns.get(taskId);
    if (turn?.fence !== fence) return;
    turn.abort(reason);
    if (reason === 'stale') this.#forget(turn);
  }

  #forget(turn: WorkerTurn): void {
    if (this.#turns.get(turn.taskId) === turn) this.#turns.delete(turn.taskId);
    if (this.#turns.size > 0) return;
    this.#emptied?.resolve();
    if (this.#options.once === true) void this.stop();
  }

  #beat(): void {
    this.#releaseLost();
    void this.#reports.sayAlive();
  }

  /**
   * Without an answer for the time of the lease, another worker may have got the turns if the agent can resume: two must not
   * work on one. An agent that cannot resume goes on, because nobody else does.
   */
  #releaseLost(): void {
    const { leaseMilliseconds = Infinity } = this.#welcome ?? {};
    if (this.#options.executor.resume === undefined || performance.now() - this.#heardAt < leaseMilliseconds)
      return;
    for (const turn of this.#turns.values()) turn.abort('released');
  }

  async #history({ taskId, fence }: WireTurn, limit: number | undefined): Promise<Message[]> {
    const body = JSON.stringify({ worker: this.#id, taskId, fence, limit });
    const { messages } = await this.#connection.post(
      'history',
      body,
      z.object({ messages: z.array(z.unknown()) }),
    );
    return messages as Message[];
  }

  async #drain(graceMilliseconds: number): Promise<void> {
    this.#slots = 0;
    void this.#reports.sayAlive();
    if (!(await this.#emptyWithin(graceMilliseconds))) {
      for (const turn of this.#turns.values()) turn.abort('released');
      await this.#emptyWithin(LAST_REPORT_MILLISECONDS);
    }
    clearInterval(this.#beats);
    this.#closing.abort();
    const bye = JSON.stringify({ worker: this.#id });
    await this.#connection
      .post('bye', bye, z.unknown(), { milliseconds: LAST_REPORT_MILLISECONDS })
      .catch(() => {});
    this.#connection.close();
    await this.#options.executor.close?.();
    this.#ended.resolve();
  }

  async #emptyWithin(milliseconds: number): Promise<boolean> {
    if (this.#turns.size === 0) return true;
    this.#emptied ??= Promise.withResolvers<void>();
    return withTimeout(this.#emptied.promise, milliseconds).then(
      () => true,
      () => false,
    );
  }
}

/** The card says that the agent signs, and with which key. */
function withSignatures(card: Executor['card'], { publicKey }: EventSigner): NonNullable<Executor['card']> {
  const extension = {
    uri: SIGNATURE_METADATA,
    description: 'The agent signs what it says. Compare the key with the one that its owner gave you.',
    required: false,
    params: { keys: [publicKey] },
  };
  const described = card ?? { name: 'Agent', description: 'An agent that connects to its host.' };
  return { ...described, extensions: [...(described.extensions ?? []), extension] };
}
