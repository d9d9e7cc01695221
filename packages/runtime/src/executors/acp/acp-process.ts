import { Readable, Writable } from 'node:stream';
import {
  type AgentCapabilities,
  client,
  type ClientConnection,
  type ContentBlock,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type NewSessionRequest,
  type PromptResponse,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Deadline } from '@holdword/protocol/internal';
import { childEnvironment } from '../child-process/child-environment.ts';
import type { OwnedProcess } from '../child-process/owned-process.ts';
import type { ProcessTable } from '../child-process/process-table.ts';
import { publicOutput, readTail, withoutSecrets } from '../child-process/program-output.ts';
import { splitCommandLine } from '../cli-agent/profiles/exec.ts';
import { TerminalError } from '../executor-errors.ts';
import type { AcpSettings } from './acp-options.ts';

/** Receives the updates and requests of a session. */
export interface SessionListener {
  update(update: SessionUpdate): void;
  permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

const ERROR_OUTPUT_BYTES = 64 * 1024;
const LOGGED_CHARACTERS = 2_000;
const NOT_SIGNED_IN = -32_000;

/**
 * A running process that speaks ACP, with all its sessions.
 *
 * Responsible for routing updates of the agent to the listener of the session, and for ending the process: at once in
 * `close`, or after `drain` when its last turn has released it. Leaves what the process starts to ProcessTable.
 */
export class AcpProcess {
  readonly #settings: AcpSettings;
  readonly #owned: OwnedProcess;
  readonly #connection: ClientConnection;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #errorOutput: Promise<string>;
  readonly #listeners = new Map<string, SessionListener>();
  /** Sessions that are loaded in the process. */
  readonly sessions = new Set<string>();
  #users = 0;
  #draining = false;
  #ended = false;
  #about: InitializeResponse | undefined;

  private constructor(
    settings: AcpSettings,
    owned: OwnedProcess,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#settings = settings;
    this.#owned = owned;
    this.#environment = environment;
    this.#errorOutput = readTail(owned.standardError, ERROR_OUTPUT_BYTES);
    this.#connection = this.#connect();
    void this.#watch();
  }

  /** Resolves when the agent is ready. Rejects with a TerminalError that says why it is not. */
  static async start(settings: AcpSettings, table: ProcessTable): Promise<AcpProcess> {
    const [file = '', ...words] = splitCommandLine(settings.command);
    const environment = childEnvironment([settings.environment]);
    const { workingDirectory: where } = settings;
    const owned = await table.spawn({
      file,
      arguments: words,
      environment,
      workingDirectory: 'fixed' in where ? where.fixed : where.perContextIn,
    });
    const started = new AcpProcess(settings, owned, environment);
    try {
      await started.#initialize();
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** Whether new turns can use it. */
  get isUsable(): boolean {
    return !this.#draining && !this.#ended;
  }

  get capabilities(): AgentCapabilities {
    return this.#about?.agentCapabilities ?? {};
  }

  /** Keeps the process running until the returned function is called. */
  use(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
      this.#stopUnused();
    };
  }

  /** Accepts no further turns, and ends when the current ones have ended. */
  drain(): void {
    this.#draining = true;
    this.#stopUnused();
  }

  async close(): Promise<void> {
    this.#draining = true;
    await this.#owned.stop(this.#settings.graceMilliseconds);
  }

  async newSession(workingDirectory: string): Promise<string> {
    const request: NewSessionRequest = { cwd: workingDirectory, mcpServers: [] };
    const { sessionId } = await this.#ask(this.#connection.agent.request(methods.agent.session.new, request));
    this.sessions.add(sessionId);
    return sessionId;
  }

  /** False if the agent cannot load sessions, or no longer knows this one. */
  async loadSession(sessionId: string, workingDirectory: string): Promise<boolean> {
    const request = { sessionId, cwd: workingDirectory, mcpServers: [] };
    const { agent } = this.#connection;
    try {
      if (this.capabilities.sessionCapabilities?.resume) {
        await agent.request(methods.agent.session.resume, request);
      } else if (this.capabilities.loadSession === true) {
        // It replays the conversation, which is ignored.
        await agent.request(methods.agent.session.load, request);
      } else return false;
    } catch (error) {
      if (error instanceof RequestError && error.code !== NOT_SIGNED_IN) return false;
      throw await this.#explained(error);
    }
    this.sessions.add(sessionId);
    return true;
  }

  /** Resolves when the agent has answered. The listener gets its updates until then. */
  async prompt(
    sessionId: string,
    prompt: ContentBlock[],
    listener: SessionListener,
  ): Promise<PromptResponse> {
    this.#listeners.set(sessionId, listener);
    try {
      const request = { sessionId, prompt };
      return await this.#ask(this.#connection.agent.request(methods.agent.session.prompt, request));
    } finally {
      this.#listeners.delete(sessionId);
    }
  }

  /** Asks the agent to stop; it still answers the prompt. */
  cancel(sessionId: string): void {
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {
      // The connection is closed, and with it the prompt.
    });
  }

  async #watch(): Promise<void> {
    await this.#owned.ended;
    this.#ended = true;
    this.#connection.close();
  }

  #connect(): ClientConnection {
    const { standardInput, standardOutput } = this.#owned;
    const { maxOutputBytes: maxMessageBytes } = this.#settings;
    const input = Readable.toWeb(standardOutput) as ReadableStream<Uint8Array>;
    const stream = ndJsonStream(Writable.toWeb(standardInput), input, { maxMessageBytes });
    return client({ name: 'holdword' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.#listeners.get(params.sessionId)?.update(params.update);
      })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        const listener = this.#listeners.get(params.sessionId);
        return listener?.permission(params) ?? { outcome: { outcome: 'cancelled' } };
      })
      .connect(stream);
  }

  async #initialize(): Promise<void> {
    const { startMilliseconds } = this.#settings;
    using deadline = new Deadline(startMilliseconds);
    try {
      this.#about = await this.#connection.agent.request(
        methods.agent.initialize,
        {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {},
          clientInfo: { name: 'holdword', version: '1' },
        },
        { cancellationSignal: deadline.signal, stopWaitingOnCancel: true },
      );
    } catch (error) {
      if (!deadline.signal.aborted) throw await this.#explained(error);
      throw new TerminalError(
        `The agent did not start within ${startMilliseconds / 1_000} s. Its operator has to check the command.`,
      );
    }
    const { protocolVersion } = this.#about;
    if (protocolVersion === PROTOCOL_VERSION) return;
    throw new TerminalError(
      `The agent speaks ACP version ${protocolVersion}, but version ${PROTOCOL_VERSION} is required. Its operator has to install another version.`,
    );
  }

  async #ask<Answer>(asking: Promise<Answer>): Promise<Answer> {
    try {
      return await asking;
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  async #explained(error: unknown): Promise<TerminalError> {
    // The connection may close a moment before the process ends.
    if (this.#connection.signal.aborted) return this.#died();
    if (error instanceof RequestError && error.code === NOT_SIGNED_IN) return this.#notSignedIn();
    const words = error instanceof Error ? error.message : String(error);
    const reason = publicOutput(words, this.#environment) || 'no reason given';
    return new TerminalError(`The agent returned an error: ${reason}`, { cause: error });
  }

  async #died(): Promise<TerminalError> {
    await this.#owned.stop(this.#settings.graceMilliseconds);
    const { exitCode, signal } = await this.#owned.ended;
    const lastWords = await this.#errorOutput;
    this.#settings.log.warn('The agent process exited unexpectedly.', {
      exitCode: exitCode ?? signal,
      errorOutput: withoutSecrets(lastWords.slice(-LOGGED_CHARACTERS), this.#environment),
    });
    const reason = publicOutput(lastWords, this.#environment);
    const how = signal === null ? `exited with code ${exitCode}` : `was killed by ${signal}`;
    return new TerminalError(
      `The agent ${how}${reason === '' ? ' without an error message.' : `: ${reason}`}`,
    );
  }

  #notSignedIn(): TerminalError {
    const signInMethods = (this.#about?.authMethods ?? []).map(({ name }) => name).join(', ');
    return new TerminalError(
      `The agent is not signed in. Its operator has to sign it in${signInMethods === '' ? '' : ` (${signInMethods})`}.`,
    );
  }

  #stopUnused(): void {
    if (this.#draining && this.#users === 0) void this.close();
  }
}
