import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@holdword/protocol';
import type { CliOutput } from '../../cli-agent/profile.ts';
import { TerminalError } from '../../executor-errors.ts';
import { listAt, textAt } from '../../json-value.ts';
import { GatewayUnreachable } from './gateway-errors.ts';
import type { GatewayLink, OpenGateway } from './gateway-link.ts';
import { RunEvents } from './run-events.ts';
import type { RunRequest } from './run-request.ts';

/** The gateway knows a run for five minutes after its end; this is safely less. */
const KNOWN_MILLISECONDS = 4 * 60_000;
const WAIT_MILLISECONDS = 5_000;
const RECONNECT_MILLISECONDS = 10_000;
const RECONNECT_PAUSE_MILLISECONDS = 500;

/**
 * Follows one run on a gateway until it has its answer.
 *
 * Responsible for a run happening once: the gateway knows it by its id and returns the same answer each time, but only until
 * the gateway restarts, and for a few minutes after the run ends. After a lost connection or a restart of this server, the
 * run is requested again only within these bounds; otherwise it ends as interrupted.
 */
export class GatewayRun {
  readonly #link: GatewayLink;
  readonly #request: RunRequest;
  readonly #events: RunEvents;
  readonly #write: (outputs: readonly CliOutput[]) => void;

  constructor(link: GatewayLink, request: RunRequest, write: (outputs: readonly CliOutput[]) => void) {
    this.#link = link;
    this.#request = request;
    this.#events = new RunEvents(request.runId);
    this.#write = write;
  }

  /** The text of the answer that was passed on so far. */
  get streamed(): string {
    return this.#events.streamed;
  }

  /** Submits the run and resolves with its answer. */
  async start(gateway: OpenGateway): Promise<JsonObject> {
    try {
      return await this.#ask(gateway);
    } catch (error) {
      if (!(error instanceof GatewayUnreachable)) throw error;
      return this.resume();
    }
  }

  /** Resolves with the answer of a run that was submitted before. */
  async resume(): Promise<JsonObject> {
    const deadline = Date.now() + RECONNECT_MILLISECONDS;
    for (;;) {
      try {
        const gateway = await this.#link.open();
        await this.#requireKnown(gateway);
        return await this.#ask(gateway);
      } catch (error) {
        if (!(error instanceof GatewayUnreachable) || Date.now() > deadline) throw error;
        await pause(RECONNECT_PAUSE_MILLISECONDS);
      }
    }
  }

  /** Asks the gateway to stop the run. */
  async abort(): Promise<void> {
    const { runId, sessionKey } = this.#request;
    const { connection } = await this.#link.open();
    await connection.request('chat.abort', { sessionKey, runId });
  }

  async #ask({ connection }: OpenGateway): Promise<JsonObject> {
    const { runId, params } = this.#request;
    const stop = connection.listen((event) => {
      const outputs = this.#events.read(event);
      if (outputs.length > 0) this.#write(outputs);
    });
    try {
      for (;;) {
        const answer = await connection.request('agent', params, isNotAccepted);
        if (textAt(answer, 'status') !== 'in_flight') return answer as JsonObject;
        await connection.request('agent.wait', { runId, timeoutMs: WAIT_MILLISECONDS });
      }
    } finally {
      stop();
    }
  }

  async #requireKnown({ connection }: OpenGateway): Promise<void> {
    const { runId, bootId, sentAt, sessionKey } = this.#request;
    if (bootId !== undefined && connection.hello.bootId === bootId) {
      if (Date.now() - sentAt < KNOWN_MILLISECONDS) return;
      const history = await connection.request('chat.history', { sessionKey, limit: 1 });
      if (listAt(history, 'sessionInfo', 'activeRunIds').includes(runId)) return;
    }
    throw new TerminalError(
      'Interrupted: OpenClaw was restarted or no longer knows this turn, and how far it got is unknown. ' +
        'Send the message again.',
    );
  }
}

/** The gateway responds twice: when it accepts the run, and when the run has ended. */
function isNotAccepted(payload: unknown): boolean {
  return textAt(payload, 'status') !== 'accepted';
}
