import type { JsonObject } from '@holdword/protocol';
import { Deadline, pause, unlessAborted } from '@holdword/protocol/internal';
import type { AgentDescription } from '../../agent-description.ts';
import { errorReason, type Log, noopLog } from '../../log.ts';
import { publicOutput } from '../child-process/program-output.ts';
import { type MessageFiles, promptOf, saveMessageFiles } from '../cli-agent/message-input.ts';
import type { CliOutput, DefiniteOutcome } from '../cli-agent/profile.ts';
import { ResponseWriter } from '../cli-agent/response-writer.ts';
import { TerminalError, turnTimedOut } from '../executor-errors.ts';
import { beginAfterWait, type Executor, type Sink, type Turn } from '../executor.ts';
import { valueAt } from '../json-value.ts';
import { type AnswerReading, outcomeOfAnswer } from './agent-answer.ts';
import {
  GatewayLink,
  GatewayRejection,
  GatewayStarting,
  GatewayUnreachable,
  type OpenGateway,
} from './gateway-connection.ts';
import { GatewayRun, runIdOf, RunRecords, runRequest, type RunRequest } from './gateway-run.ts';
import { findGateway } from './find-gateway.ts';
import {
  OPENCLAW_CARD,
  type OpenClawDependencies,
  openClawFileFolders,
  type OpenClawOptions,
  openClawSettings,
  type OpenClawSettings,
} from './openclaw-options.ts';

const UNREACHABLE_PAUSE = 500;

/** A wait for a gateway that is starting. */
interface GatewayWait {
  readonly turn: Turn;
  readonly deadline: Deadline;
  /** How long to wait for a gateway that cannot be reached; not at all by default. */
  readonly patience?: number | undefined;
  /** Called once, before the first pause. */
  readonly onWait?: () => Promise<void>;
}

/** A turn that a gateway runs. */
interface GatewayTurn {
  readonly gateway: OpenGateway;
  readonly request: RunRequest;
  readonly deadline: Deadline;
}

/**
 * OpenClaw via its gateway, which is already running, so that a turn takes no longer than the model needs.
 *
 * Responsible for a definite outcome of every turn, and for stopping the run of a turn that is canceled or times out. What
 * is needed to find a run again is on disk before the run is submitted, so the turn resumes after a restart of this server
 * (J7). Leaves to GatewayRun that a run happens once, and to the runtime the order of turns in a context (J10).
 */
export class OpenClawGatewayAgent implements Executor {
  readonly card: AgentDescription = OPENCLAW_CARD;
  readonly #settings: OpenClawSettings;
  readonly #link: GatewayLink;
  readonly #records: RunRecords;
  readonly #log: Log;

  constructor(
    options: OpenClawOptions,
    { sessions, log = noopLog }: Pick<OpenClawDependencies, 'sessions' | 'log'>,
  ) {
    this.#settings = openClawSettings(options);
    this.#records = new RunRecords(sessions);
    this.#log = log;
    const environment = { ...process.env, ...this.#settings.envVars };
    this.#link = new GatewayLink(() => findGateway(options.gateway, environment), log);
  }

  get defaultContextId(): string | undefined {
    return this.#settings.sessionId;
  }

  /** Why the gateway cannot be used: GatewayUnreachable, or that it refuses or is configured wrongly. Undefined if it can. */
  async problem(): Promise<unknown> {
    return this.#link.open().then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  /** Whether this turn was submitted to a gateway before this server was started. */
  async wasSubmitted(turn: Turn): Promise<boolean> {
    return (await this.#records.find(runIdOf(turn))) !== undefined;
  }

  /** Waits for a gateway that is starting, and for `patience`, if it is given, for one to be started. */
  async execute(turn: Turn, sink: Sink, patience?: number): Promise<void> {
    using deadline = new Deadline(this.#timeoutMilliseconds);
    const gateway = await this.#openForTurn(turn, sink, deadline, patience);
    const saved = await saveFiles(turn, gateway);
    try {
      const prompt = promptOf(turn.message.parts, saved.files);
      const request = runRequest(turn, prompt, this.#settings, gateway.connection.hello);
      await this.#records.remember(request);
      await sink.status('OpenClaw is working.', { metadata: { via: 'gateway' } });
      await this.#follow(turn, sink, { gateway, request, deadline }, (run) => run.start(gateway));
    } finally {
      await saved.remove();
    }
  }

  /** Resumes a turn whose run the gateway may still know; starts one that was never submitted. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    const recorded = await this.#records.find(runIdOf(turn));
    if (recorded === undefined) return this.execute(turn, sink);
    using deadline = new Deadline(this.#timeoutMilliseconds);
    const gateway = await this.#open({ turn, deadline });
    // The gateway already has the message and ignores it here, so its files are not needed.
    const prompt = promptOf(turn.message.parts, []);
    const request = { ...runRequest(turn, prompt, this.#settings, gateway.connection.hello), ...recorded };
    await this.#follow(turn, sink, { gateway, request, deadline }, (run) => run.resume());
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  get #timeoutMilliseconds(): number {
    return this.#settings.timeout * 1_000;
  }

  /** Opens the gateway for a turn of which nothing has been done. While that waits, a restart may run it again. */
  async #openForTurn(turn: Turn, sink: Sink, deadline: Deadline, patience?: number): Promise<OpenGateway> {
    let waits = false;
    const onWait = async (): Promise<void> => {
      waits = true;
      await sink.status('Waiting: OpenClaw is starting.', { state: 'TASK_STATE_SUBMITTED' });
    };
    const gateway = await this.#open({ turn, deadline, patience, onWait });
    if (waits) await beginAfterWait(turn, sink);
    return gateway;
  }

  async #open({ turn, deadline, patience = 0, onWait }: GatewayWait): Promise<OpenGateway> {
    const signal = AbortSignal.any([turn.signal, deadline.signal]);
    const startBy = performance.now() + patience;
    for (let attempt = 0; ; attempt += 1) {
      const error = await this.problem();
      if (error === undefined) return this.#link.open();
      const delay = error instanceof GatewayStarting ? error.retryAfterMilliseconds : UNREACHABLE_PAUSE;
      const mayCome = error instanceof GatewayUnreachable && performance.now() + delay < startBy;
      turn.signal.throwIfAborted();
      if (!(error instanceof GatewayStarting || mayCome) || deadline.signal.aborted)
        throw this.#notOpen(error, patience);
      if (attempt === 0) await onWait?.();
      await pause(delay, signal);
    }
  }

  #notOpen(error: unknown, patience: number): TerminalError {
    this.#log.warn('Could not connect to the OpenClaw gateway.', { reason: errorReason(error) });
    return new TerminalError(this.#reasonOf(error, patience), { cause: error });
  }

  #reasonOf(error: unknown, patience: number): string {
    if (error instanceof GatewayStarting) {
      return `OpenClaw timed out: its gateway was still starting after ${this.#settings.timeout} s. Send the message again later.`;
    }
    if (error instanceof GatewayUnreachable && patience > 0) {
      return 'OpenClaw runs as a gateway on its machine, and this server cannot reach it. Its operator has to check the address of the gateway.';
    }
    return error instanceof GatewayUnreachable
      ? 'OpenClaw is not reachable. Its operator has to start the gateway.'
      : 'OpenClaw does not accept requests of this server. Its operator has to check the address and token of the gateway.';
  }

  async #follow(
    turn: Turn,
    sink: Sink,
    { gateway, request, deadline }: GatewayTurn,
    begin: (run: GatewayRun) => Promise<JsonObject>,
  ): Promise<void> {
    const writer = new ResponseWriter(turn, sink);
    const queue = new OutputQueue((outputs) => writer.write(outputs));
    const run = new GatewayRun(this.#link, request, (outputs) => queue.add(outputs));
    try {
      const reading = this.#reading(gateway.isLocal);
      const outcome = await this.#outcome(turn, run, { reading, deadline }, begin);
      await queue.written();
      await writer.end(outcome);
      if (outcome.state === 'failed') {
        this.#log.warn('OpenClaw failed a turn.', { taskId: turn.taskId, reason: outcome.text });
      }
    } catch (error) {
      if (!turn.signal.aborted) {
        this.#log.warn('OpenClaw failed a turn.', { taskId: turn.taskId, reason: errorReason(error) });
        await writer.close();
      }
      throw error;
    } finally {
      if (!isTakenOver(turn)) await this.#records.forget(request.runId);
    }
  }

  async #outcome(
    turn: Turn,
    run: GatewayRun,
    { reading, deadline }: { reading: AnswerReading; deadline: Deadline },
    begin: (run: GatewayRun) => Promise<JsonObject>,
  ): Promise<DefiniteOutcome> {
    try {
      const answer = await unlessAborted(begin(run), AbortSignal.any([turn.signal, deadline.signal]));
      const outcome = await outcomeOfAnswer(answer, reading);
      if (outcome.state === 'failed') return outcome;
      const texts = (outcome.parts ?? []).map((part) => part.text);
      return { ...outcome, replaces: texts.length !== 1 || texts[0] !== run.streamed };
    } catch (error) {
      if (turn.signal.aborted || deadline.signal.aborted) await this.#stop(turn, run);
      turn.signal.throwIfAborted();
      if (deadline.signal.aborted) throw turnTimedOut(this.#timeoutMilliseconds, 'OpenClaw');
      if (error instanceof GatewayRejection) {
        return outcomeOfAnswer({ ok: false, error: error.message }, reading);
      }
      throw error instanceof GatewayUnreachable ? connectionLost(error) : error;
    }
  }

  #reading(isLocal: boolean): AnswerReading {
    const { maxFileBytes, envVars } = this.#settings;
    return {
      via: 'gateway',
      failed: false,
      isLocal,
      maxFileBytes,
      fileFolders: openClawFileFolders(this.#settings),
      toPublic: (text) => publicOutput(text, envVars),
    };
  }

  async #stop(turn: Turn, run: GatewayRun): Promise<void> {
    if (isTakenOver(turn)) return;
    await run.abort().catch((error: unknown) => {
      this.#log.warn('Could not stop a run of OpenClaw.', {
        taskId: turn.taskId,
        reason: String(error),
      });
    });
  }
}

/** Another process owns the task now and follows the same run. */
function isTakenOver({ signal }: Turn): boolean {
  return valueAt(signal.reason, 'reason') === 'lost';
}

async function saveFiles({ message }: Turn, { isLocal }: OpenGateway): Promise<MessageFiles> {
  if (!isLocal && message.parts.some((part) => part.raw !== undefined)) {
    throw new TerminalError(
      'This agent runs on another machine than its server and does not accept files. Send text.',
    );
  }
  return saveMessageFiles(message.parts);
}

function connectionLost(error: Error): TerminalError {
  return new TerminalError(
    'The connection to OpenClaw was lost, and how far it got is unknown. Send the message again with a new message ID.',
    { cause: error },
  );
}

/** Writes outputs one after another, for a source that does not await the writes. */
export class OutputQueue {
  readonly #write: (outputs: readonly CliOutput[]) => Promise<void>;
  #tail: Promise<void> = Promise.resolve();

  constructor(write: (outputs: readonly CliOutput[]) => Promise<void>) {
    this.#write = write;
  }

  add(outputs: readonly CliOutput[]): void {
    this.#tail = this.#tail.then(() => this.#write(outputs));
    // Reported by `written`.
    this.#tail.catch(() => {});
  }

  /** Resolves when everything is written; rejects with the first error. */
  written(): Promise<void> {
    return this.#tail;
  }
}
