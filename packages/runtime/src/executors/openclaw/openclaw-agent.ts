import type { AgentDescription } from '../../agent-description.ts';
import { errorReason, type Log, noopLog } from '../../log.ts';
import type { CliAgent } from '../cli-agent/cli-agent.ts';
import { TerminalError } from '../executor-errors.ts';
import type { Executor, Sink, Turn } from '../executor.ts';
import { GatewayOwnsState } from './agent-answer.ts';
import { openOpenClawCli } from './openclaw-cli.ts';
import { OpenClawGatewayAgent } from './gateway-agent.ts';
import { GatewayStarting, GatewayUnreachable } from './gateway-connection.ts';
import { OPENCLAW_CARD, type OpenClawDependencies, type OpenClawOptions } from './openclaw-options.ts';

/** How long a gateway that owns the state may take until it can be reached. It takes about fifteen seconds. */
const START_MILLISECONDS = 60_000;

/**
 * OpenClaw via its gateway if one is running, otherwise the `openclaw` command; checked again for every turn. Both keep a
 * context in the same session. The transport is logged when it changes, and is in the metadata of every answer as `via`.
 */
export class OpenClawAgent implements Executor {
  readonly card: AgentDescription = OPENCLAW_CARD;
  readonly #gateway: OpenClawGatewayAgent;
  readonly #cli: CliAgent;
  readonly #log: Log;
  #transport: 'gateway' | 'cli' | undefined;
  #problem: string | undefined;

  private constructor(gateway: OpenClawGatewayAgent, cli: CliAgent, log: Log) {
    this.#gateway = gateway;
    this.#cli = cli;
    this.#log = log;
  }

  static async open(options: OpenClawOptions, server: OpenClawDependencies): Promise<OpenClawAgent> {
    const { log = noopLog } = server;
    const cli = await openOpenClawCli(options, server);
    const agent = new OpenClawAgent(new OpenClawGatewayAgent(options, server), cli, log);
    await agent.#choose();
    return agent;
  }

  get defaultContextId(): string | undefined {
    return this.#gateway.defaultContextId;
  }

  /** The transport that the latest check chose. */
  get transport(): 'gateway' | 'cli' {
    return this.#transport ?? 'cli';
  }

  /** Why the gateway cannot be used, if it is there but refuses. Checks which transport to use first. */
  async gatewayProblem(): Promise<string | undefined> {
    await this.#choose();
    return this.#problem;
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    if ((await this.#choose()) === 'gateway') return this.#gateway.execute(turn, sink);
    try {
      await this.#cli.execute(turn, sink);
    } catch (error) {
      // A gateway has been started that cannot be reached yet. The command did nothing.
      if (!(error instanceof GatewayOwnsState)) throw error;
      await this.#gateway.execute(turn, sink, START_MILLISECONDS);
    }
  }

  /** A turn of the command ended with the server that ran it. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    if (await this.#gateway.wasSubmitted(turn)) return this.#gateway.resume(turn, sink);
    throw new TerminalError(
      'Interrupted: the server stopped while OpenClaw was working, and how far it got is unknown. ' +
        'Send the message again with a new message ID.',
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#gateway.close(), this.#cli.close()]);
  }

  async #choose(): Promise<'gateway' | 'cli'> {
    const problem = await this.#gateway.problem();
    // A gateway that is starting or refuses this server is running: the command does not run next to it, and would hide the
    // reason.
    const transport = problem instanceof GatewayUnreachable ? 'cli' : 'gateway';
    if (transport !== this.#transport) this.#logTransport(transport, problem);
    this.#transport = transport;
    this.#problem = problem === undefined ? undefined : errorReason(problem);
    return transport;
  }

  #logTransport(transport: 'gateway' | 'cli', problem: unknown): void {
    const about = { reason: problem instanceof Error ? problem.message : String(problem) };
    if (transport === 'cli') {
      this.#log.info('Using OpenClaw via its command, which takes about ten seconds longer per turn.', about);
    } else if (problem === undefined) this.#log.info('Using OpenClaw via its gateway.');
    else if (problem instanceof GatewayStarting)
      this.#log.info('Using OpenClaw via its gateway, which is starting. Turns wait for it.', about);
    else
      this.#log.warn('OpenClaw cannot be used via its gateway. Turns fail until this is corrected.', about);
  }
}
