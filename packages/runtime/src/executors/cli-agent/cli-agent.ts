import type { AgentDescription } from '../../agent-description.ts';
import { ProcessTable } from '../child-process/process-table.ts';
import { beginAfterWait, type Executor, type Sink, type Turn } from '../executor.ts';
import { settingsOf, type CliAgentOptions, type CliAgentSettings } from './cli-agent-options.ts';
import { contextFolderName, ContextSessions, workingDirectoryFor } from './context-sessions.ts';
import { promptOf, saveMessageFiles, savePrompt } from './message-input.ts';
import type { CliFile, CliOutcome, CliOutput, CliTurn, DefiniteOutcome } from './profile.ts';
import { ResponseWriter } from './response-writer.ts';
import { runProgram } from './run-program.ts';

/** What a turn needs before its program starts. */
interface Preparation {
  readonly key: string;
  readonly files: readonly CliFile[];
  readonly prompt: string;
  readonly promptFile: string | undefined;
  readonly workingDirectory: string;
}

/**
 * A command-line program as an agent, with one process per turn.
 *
 * Responsible for a definite outcome of every turn that is not aborted, for the session that continues a context, and for
 * no process outliving its turn. It cannot resume after a crash: the runtime fails such a turn with a reason (J7).
 * Leaves to the profile how the program is called and its output is read, to the runtime that turns of a context run one
 * after another (J10), and to ProcessTable that nothing the program starts is left running.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * const executor = await CliAgent.open({
 *   profile: execProfile({ command: 'wc -w' }),
 *   processFolder: '.holdword/processes',
 *   sessions: store,
 * });
 * const runtime = await startRuntime({ store, executor });
 * ```
 */
export class CliAgent implements Executor {
  readonly #settings: CliAgentSettings;
  readonly #table: ProcessTable;
  readonly #slots: ProcessSlots;
  readonly #sessions: ContextSessions;

  private constructor(settings: CliAgentSettings, table: ProcessTable) {
    this.#settings = settings;
    this.#table = table;
    this.#slots = new ProcessSlots(settings.maxProcesses);
    this.#sessions = new ContextSessions(settings.sessions, settings.profile.name);
  }

  /**
   * Opens the agent. Processes that an earlier server left running have ended when this resolves.
   *
   * @throws TypeError if an option is not what it should be.
   */
  static async open(options: CliAgentOptions): Promise<CliAgent> {
    const settings = settingsOf(options);
    const { processFolder: folder, log } = settings;
    return new CliAgent(settings, await ProcessTable.open({ folder, log }));
  }

  /** What the profile says about the program. */
  get card(): AgentDescription {
    return this.#settings.profile.card;
  }

  /** The context of messages that name none, if the profile sets one. */
  get defaultContextId(): string | undefined {
    return this.#settings.profile.defaultContextId;
  }

  /** Runs the program once for a turn. */
  async execute(turn: Turn, sink: Sink): Promise<void> {
    const waits = this.#slots.full;
    if (waits) {
      const state = 'TASK_STATE_SUBMITTED';
      await sink.status('Waiting: the agent is running its maximum number of processes.', { state });
    }
    const release = await this.#slots.take(turn.signal);
    try {
      if (waits) await beginAfterWait(turn, sink);
      await this.#run(turn, sink);
    } finally {
      release();
    }
  }

  /** Ends all processes. Resolves when none is left. */
  async close(): Promise<void> {
    await this.#table.close();
  }

  async #run(turn: Turn, sink: Sink): Promise<void> {
    const key = contextFolderName(turn.owner, turn.contextId);
    const workingDirectory = workingDirectoryFor(this.#settings.workingDirectory, key);
    const saved = await saveMessageFiles(turn.message.parts);
    const prompt = promptOf(turn.message.parts, saved.files);
    const savedPrompt = await savePrompt(prompt, this.#settings.profile.promptFileAbove);
    const writer = new ResponseWriter(turn, sink);
    let outcome: DefiniteOutcome;
    try {
      const message = { prompt, promptFile: savedPrompt.path, files: saved.files };
      outcome = await this.#converse(turn, writer, { key, workingDirectory, ...message });
    } catch (error) {
      if (!turn.signal.aborted) await writer.close();
      throw error;
    } finally {
      await Promise.all([saved.remove(), savedPrompt.remove()]);
    }
    await writer.end(outcome);
    if (outcome.state === 'failed') {
      const { log, profile } = this.#settings;
      log.warn('The program failed a turn.', {
        agent: profile.name,
        taskId: turn.taskId,
        reason: outcome.text,
      });
    }
  }

  /** Runs in the session of the context, or in a new one if the program no longer knows it. */
  async #converse(turn: Turn, writer: ResponseWriter, preparation: Preparation): Promise<DefiniteOutcome> {
    const sessionId = await this.#sessions.find(preparation.key);
    const outcome = await this.#call(turn, writer, preparation, sessionId);
    if (outcome.state !== 'session-lost') return outcome;
    await this.#sessions.forget(preparation.key);
    await writer.write([
      { kind: 'status', text: 'The agent no longer knows this conversation and starts a new one.' },
    ]);
    const again = await this.#call(turn, writer, preparation, undefined);
    if (again.state !== 'session-lost') return again;
    return {
      state: 'failed',
      text: 'The agent could not start a conversation. Send the message again later.',
    };
  }

  #call(
    turn: Turn,
    writer: ResponseWriter,
    { key, ...prepared }: Preparation,
    sessionId: string | undefined,
  ): Promise<CliOutcome> {
    const { taskId, contextId, owner, message, metadata, signal, trace } = turn;
    const about = { taskId, contextId, owner, message, metadata };
    const cliTurn: CliTurn = { ...about, ...prepared, sessionId };
    return runProgram({
      settings: this.#settings,
      table: this.#table,
      turn: cliTurn,
      signal,
      environment: trace === undefined ? {} : { TRACEPARENT: trace.traceparent },
      write: async (outputs) => {
        await this.#remember(key, outputs, sessionId);
        await writer.write(outputs);
      },
    });
  }

  /** Stored at once: the program remembers the message even if the turn fails. */
  async #remember(key: string, outputs: readonly CliOutput[], knownId: string | undefined): Promise<void> {
    for (const output of outputs) {
      if (output.kind === 'session' && output.sessionId !== knownId) {
        await this.#sessions.remember(key, output.sessionId);
      }
    }
  }
}

/** Limits how many processes run at once. Waiting callers are served in order, and a signal ends their wait. */
export class ProcessSlots {
  readonly #total: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Whether the next `take` has to wait. */
  get full(): boolean {
    return this.#taken >= this.#total;
  }

  /** Resolves with the function that releases the slot; rejects with the signal's reason if that fires first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.full) this.#taken += 1;
    else await this.#wait(signal);
    return () => this.#release();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(proceed);
        reject(signal.reason as Error);
      };
      const proceed = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(proceed);
    });
  }

  /** Passes the slot to the caller that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
