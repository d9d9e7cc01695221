import type { JsonObject } from '@holdword/protocol';
import { Deadline, unlessAborted } from '@holdword/protocol/internal';
import type { AgentDescription } from '../../agent-description.ts';
import { type Log, noopLog } from '../../log.ts';
import { publicOutput } from '../child-process/program-output.ts';
import { type MessageFiles, promptOf, saveMessageFiles } from '../cli-agent/message-input.ts';
import type { CliOutput, DefiniteOutcome } from '../cli-agent/profile.ts';
import { ResponseWriter } from '../cli-agent/response-writer.ts';
import { TerminalError, turnTimedOut } from '../executor-errors.ts';
import type { Executor, Sink, Turn } from '../executor.ts';
import { valueAt } from '../json-value.ts';
import { type AnswerReading, outcomeOfAnswer } from './agent-answer.ts';
import { GatewayLink, GatewayRejection, GatewayUnreachable, type OpenGateway } from './gateway-connection.ts';
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

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const gateway = await this.#open();
    const saved = await saveFiles(turn, gateway);
    try {
      const prompt = promptOf(turn.message.parts, saved.files);
      const request = runRequest(turn, prompt, this.#settings, gateway.connection.hello);
      await this.#records.remember(request);
      await sink.status('OpenClaw is working.', { metadata: { via: 'gateway' } });
      await this.#follow(turn, sink, gateway, request, (run) => run.start(gateway));
    } finally {
      await saved.remove();
    }
  }

  /** Resumes a turn whose run the gateway may still know; starts one that was never submitted. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    const recorded = await this.#records.find(runIdOf(turn));
    if (recorded === undefined) return this.execute(turn, sink);
    const gateway = await this.#open();
    // The gateway already has the message and ignores it here, so its files are not needed.
    const prompt = promptOf(turn.message.parts, []);
    const request = { ...runRequest(turn, prompt, this.#settings, gateway.connection.hello), ...recorded };
    await this.#follow(turn, sink, gateway, request, (run) => run.resume());
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  async #open(): Promise<OpenGateway> {
    try {
      return await this.#link.open();
    } catch (error) {
      this.#log.warn('Could not connect to the OpenClaw gateway.', { reason: String(error) });
      const reason =
        error instanceof GatewayUnreachable
          ? 'OpenClaw is not reachable. Its operator has to start the gateway.'
          : 'OpenClaw does not accept requests of this server. Its operator has to check the address and token of the gateway.';
      throw new TerminalError(reason, { cause: error });
    }
  }

  async #follow(
    turn: Turn,
    sink: Sink,
    { isLocal }: OpenGateway,
    request: RunRequest,
    begin: (run: GatewayRun) => Promise<JsonObject>,
  ): Promise<void> {
    const writer = new ResponseWriter(turn, sink);
    const queue = new OutputQueue((outputs) => writer.write(outputs));
    const run = new GatewayRun(this.#link, request, (outputs) => queue.add(outputs));
    try {
      const outcome = await this.#outcome(turn, run, this.#reading(isLocal), begin);
      await queue.written();
      await writer.end(outcome);
      if (outcome.state === 'failed') {
        this.#log.warn('OpenClaw failed a turn.', { taskId: turn.taskId, reason: outcome.text });
      }
    } catch (error) {
      if (!turn.signal.aborted) await writer.close();
      throw error;
    } finally {
      if (!isTakenOver(turn)) await this.#records.forget(request.runId);
    }
  }

  async #outcome(
    turn: Turn,
    run: GatewayRun,
    reading: AnswerReading,
    begin: (run: GatewayRun) => Promise<JsonObject>,
  ): Promise<DefiniteOutcome> {
    const timeoutMilliseconds = this.#settings.timeout * 1_000;
    using deadline = new Deadline(timeoutMilliseconds);
    try {
      const answer = await unlessAborted(begin(run), AbortSignal.any([turn.signal, deadline.signal]));
      const outcome = await outcomeOfAnswer(answer, reading);
      if (outcome.state === 'failed') return outcome;
      const texts = (outcome.parts ?? []).map((part) => part.text);
      return { ...outcome, replaces: texts.length !== 1 || texts[0] !== run.streamed };
    } catch (error) {
      if (turn.signal.aborted || deadline.signal.aborted) await this.#stop(turn, run);
      turn.signal.throwIfAborted();
      if (deadline.signal.aborted) throw turnTimedOut(timeoutMilliseconds, 'OpenClaw');
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
