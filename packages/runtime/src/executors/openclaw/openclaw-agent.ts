import type { AgentDescription } from '../../agent-description.ts';
import { noopLog, type Log } from '../../log.ts';
import type { CliAgent } from '../cli-agent/cli-agent.ts';
import type { Executor, Sink, Turn } from '../executor.ts';
import { TerminalError } from '../executor-errors.ts';
import { openOpenClawCli } from './cli/open-openclaw-cli.ts';
import { OpenClawGatewayAgent } from './gateway/gateway-agent.ts';
import { OPENCLAW_CARD } from './openclaw-card.ts';
import type { OpenClawDependencies } from './openclaw-dependencies.ts';
import { openClawSettings, type OpenClawOptions } from './openclaw-options.ts';

/**
 * OpenClaw by its gateway when one can be reached, else by its command line; it looks again at every turn. Both remember a
 * context in the same session. Which way a turn took is in the log when it changes, and as `via` in the metadata of every
 * answer.
 */
export class OpenClawAgent implements Executor {
  readonly card: AgentDescription = OPENCLAW_CARD;
  readonly #gateway: OpenClawGatewayAgent;
  readonly #cli: CliAgent;
  readonly #log: Log;
  #transport: 'gateway' | 'cli' | undefined;

  private constructor(gateway: OpenClawGatewayAgent, cli: CliAgent, log: Log) {
    this.#gateway = gateway;
    this.#cli = cli;
    this.#log = log;
  }

  static async open(options: OpenClawOptions, server: OpenClawDependencies): Promise<OpenClawAgent> {
    // Decided once: both ways must agree on the session of messages without a context.
    const settings = openClawSettings(options);
    const { log = noopLog } = server;
    const cli = await openOpenClawCli(settings, server);
    const agent = new OpenClawAgent(new OpenClawGatewayAgent(settings, server), cli, log);
    await agent.#choose();
    return agent;
  }

  /** The transport that the latest check chose. */
  get transport(): 'gateway' | 'cli' {
    return this.#transport ?? 'cli';
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const chosen = await this.#choose();
    await chosen.execute(turn, sink);
  }

  /** A turn of the command line ended with the server that ran it. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    if (await this.#gateway.hasHandedOver(turn)) return this.#gateway.resume(turn, sink);
    throw new TerminalError(
      'Interrupted: the server went down while OpenClaw was working, and what it had done by then is unknown. ' +
        'Send the message again.',
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#gateway.close(), this.#cli.close()]);
  }

  async #choose(): Promise<Executor> {
    const reason = await this.#gateway.unreachableBecause();
    const transport = reason === undefined ? 'gateway' : 'cli';
    if (transport !== this.#transport) this.#tell(reason);
    this.#transport = transport;
    return transport === 'gateway' ? this.#gateway : this.#cli;
  }

  #tell(reason: string | undefined): void {
    if (reason === undefined) this.#log.info('OpenClaw is reached by its gateway.');
    else this.#log.info('OpenClaw is reached by its command line, which takes ten seconds more.', { reason });
  }
}
