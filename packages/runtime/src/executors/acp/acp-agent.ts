import { unlessAborted } from '@holdword/protocol/internal';
import type { AgentDescription } from '../../agent-description.ts';
import { noopLog } from '../../log.ts';
import { ProcessTable } from '../child-process/process-table.ts';
import { contextFolderName, ContextSessions, workingDirectoryFor } from '../cli-agent/context-sessions.ts';
import { saveMessageFiles } from '../cli-agent/message-input.ts';
import { splitCommandLine } from '../cli-agent/profiles/exec.ts';
import { ResponseWriter } from '../cli-agent/response-writer.ts';
import { AgentOptionsError } from '../executor-errors.ts';
import type { Executor, Sink, Turn } from '../executor.ts';
import { acpSettings, type AcpAgentOptions, type AcpSettings } from './acp-options.ts';
import { AcpProcess } from './acp-process.ts';
import { promptBlocks, runAcpPrompt } from './acp-prompt.ts';
import { grantedPermission, permissionGiven } from './permissions.ts';

/**
 * An agent that speaks the Agent Client Protocol over stdin and stdout.
 *
 * One process serves all contexts, each in its own session: agents take seconds to start and support many sessions. The
 * first turn starts it, and the next turn restarts it after it has died. A process that does not stop a turn when asked is
 * replaced, and ends when its other turns have ended.
 *
 * Responsible for the session that continues a context, and for a definite outcome of every turn that is not aborted. It
 * cannot resume after a crash: the runtime fails such a turn with a reason (J7). Leaves to the runtime that turns of a
 * context run one after another (J10).
 */
export class AcpAgent implements Executor {
  readonly #settings: AcpSettings;
  readonly #table: ProcessTable;
  readonly #sessions: ContextSessions;
  readonly #name: string;
  #process: AcpProcess | undefined;
  #starting: Promise<AcpProcess> | undefined;

  private constructor(settings: AcpSettings, table: ProcessTable, name: string) {
    this.#settings = settings;
    this.#table = table;
    this.#sessions = new ContextSessions(settings.sessions, 'acp');
    this.#name = name;
  }

  /** Processes that an earlier server left running have ended when this resolves. */
  static async open(options: AcpAgentOptions): Promise<AcpAgent> {
    const [name] = splitCommandLine(options.command);
    if (name === undefined) {
      throw new AgentOptionsError('No command that speaks ACP. Example: acp:"gemini --experimental-acp"');
    }
    const settings = acpSettings(options, options.log ?? noopLog);
    const { processFolder: folder, log } = settings;
    return new AcpAgent(settings, await ProcessTable.open({ folder, log }), name);
  }

  get card(): AgentDescription {
    return {
      name: this.#name,
      description: `${this.#name}, via the Agent Client Protocol.`,
      defaultInputModes: ['text/plain', 'application/json', '*/*'],
    };
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const { signal, message, task } = turn;
    const writer = new ResponseWriter(turn, sink);
    const process = await unlessAborted(this.#usableProcess(), signal);
    const release = process.use();
    const saved = await saveMessageFiles(message.parts);
    try {
      const sessionId = await unlessAborted(this.#sessionFor(turn, process, writer), signal);
      const granted = grantedPermission(task.history ?? []);
      const parts = granted === undefined ? message.parts : [{ text: permissionGiven(granted) }];
      const blocks = promptBlocks(parts, saved.files, process.capabilities.promptCapabilities);
      const settings = this.#settings;
      const outcome = await runAcpPrompt({ settings, process, sessionId, blocks, writer, signal, granted });
      await writer.end(outcome);
    } catch (error) {
      if (!signal.aborted) await writer.close();
      throw error;
    } finally {
      await saved.remove();
      release();
    }
  }

  /** Ends the process and everything it has started. */
  async close(): Promise<void> {
    await this.#table.close();
  }

  /** Turns that arrive while it is starting wait for the same process. */
  #usableProcess(): Promise<AcpProcess> {
    if (this.#process?.isUsable === true) return Promise.resolve(this.#process);
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<AcpProcess> {
    this.#process = await AcpProcess.start(this.#settings, this.#table);
    return this.#process;
  }

  /** The session of the context if the agent still knows it, otherwise a new one. */
  async #sessionFor(turn: Turn, process: AcpProcess, writer: ResponseWriter): Promise<string> {
    const key = contextFolderName(turn.owner, turn.contextId);
    const workingDirectory = workingDirectoryFor(this.#settings.workingDirectory, key);
    const known = await this.#sessions.find(key);
    if (known !== undefined) {
      if (process.sessions.has(known) || (await process.loadSession(known, workingDirectory))) return known;
      const text = 'The agent no longer knows this conversation and starts a new one.';
      await writer.write([{ kind: 'status', text }]);
    }
    const sessionId = await process.newSession(workingDirectory);
    await this.#sessions.remember(key, sessionId);
    return sessionId;
  }
}
