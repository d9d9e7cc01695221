import type { JsonObject } from '@holdword/protocol';
import { pause } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import type { CliOutput } from '../cli-agent/profile.ts';
import { TerminalError } from '../executor-errors.ts';
import type { Turn } from '../executor.ts';
import { listAt, numberAt, parseJson, textAt, valueAt } from '../json-value.ts';
import {
  type GatewayConnection,
  type GatewayEvent,
  type GatewayHello,
  type GatewayLink,
  GatewayRejection,
  GatewayStarting,
  GatewayUnreachable,
  type OpenGateway,
} from './gateway-connection.ts';
import { openClawDeadline, type OpenClawSettings } from './openclaw-options.ts';
import { sessionIdOf } from './session-id.ts';

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
  /** Nobody waits for the run any longer. */
  #abandoned = false;

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
    const deadline = performance.now() + RECONNECT_MILLISECONDS;
    for (;;) {
      try {
        const gateway = await this.#link.open();
        await this.#requireKnown(gateway);
        return await this.#ask(gateway);
      } catch (error) {
        // A gateway that is starting has none of the runs of the one before it.
        if (error instanceof GatewayStarting) throw interrupted();
        if (!(error instanceof GatewayUnreachable) || performance.now() > deadline) throw error;
        await pause(RECONNECT_PAUSE_MILLISECONDS);
      }
    }
  }

  /** Asks the gateway to stop the run. */
  async abort(): Promise<void> {
    this.#abandoned = true;
    const { runId, sessionKey } = this.#request;
    const { connection } = await this.#link.open();
    await connection.request('chat.abort', { sessionKey, runId });
  }

  async #ask({ connection }: OpenGateway): Promise<JsonObject> {
    const { runId } = this.#request;
    const stop = connection.listen((event) => {
      const outputs = this.#events.read(event);
      if (outputs.length > 0) this.#write(outputs);
    });
    try {
      for (;;) {
        const answer = await this.#submit(connection);
        if (textAt(answer, 'status') !== 'in_flight') return answer as JsonObject;
        await connection.request('agent.wait', { runId, timeoutMs: WAIT_MILLISECONDS });
      }
    } finally {
      stop();
    }
  }

  /** Asks for the run. A gateway that is starting has not begun it, and is asked again. */
  async #submit(connection: GatewayConnection): Promise<unknown> {
    for (;;) {
      try {
        return await connection.request('agent', this.#request.params, isNotAccepted);
      } catch (error) {
        const again = error instanceof GatewayRejection ? error.retryAfterMilliseconds : undefined;
        if (again === undefined || this.#abandoned) throw error;
        await pause(again);
      }
    }
  }

  async #requireKnown({ connection }: OpenGateway): Promise<void> {
    const { runId, bootId, sentAt, sessionKey } = this.#request;
    if (bootId !== undefined && connection.hello.bootId === bootId) {
      if (performance.now() - sentAt < KNOWN_MILLISECONDS) return;
      const history = await connection.request('chat.history', { sessionKey, limit: 1 });
      if (listAt(history, 'sessionInfo', 'activeRunIds').includes(runId)) return;
    }
    throw interrupted();
  }
}

function interrupted(): TerminalError {
  return new TerminalError(
    'Interrupted: OpenClaw was restarted or no longer knows this turn, and how far it got is unknown. ' +
      'Send the message again with a new message ID.',
  );
}

/** The gateway responds twice: when it accepts the run, and when the run has ended. */
function isNotAccepted(payload: unknown): boolean {
  return textAt(payload, 'status') !== 'accepted';
}

/** One turn as the gateway knows it. */
export interface RunRequest {
  readonly runId: string;
  /** The parameters of the gateway's method `agent`. */
  readonly params: JsonObject;
  readonly sessionKey: string;
  /** The boot of the gateway that the run was submitted to. */
  readonly bootId: string | undefined;
  /** When it was submitted. */
  readonly sentAt: number;
}

export function runRequest(
  turn: Turn,
  prompt: string,
  settings: OpenClawSettings,
  { bootId, defaultAgentId }: GatewayHello,
): RunRequest {
  const { agentId, thinking, timeout, sessionId: defaultSessionId } = settings;
  const sessionId = sessionIdOf(turn.contextId, { defaultSessionId, owner: turn.owner });
  // The key that OpenClaw itself uses for a session id, on its command line as well.
  const sessionKey = `agent:${agentId ?? defaultAgentId}:explicit:${sessionId}`;
  const runId = runIdOf(turn);
  return {
    runId,
    bootId,
    sentAt: performance.now(),
    sessionKey,
    params: {
      message: prompt,
      // Both: without the key, an abort does not stop the run; without the id, the command line does not find the session.
      sessionKey,
      sessionId,
      ...(thinking !== undefined && { thinking }),
      idempotencyKey: runId,
      timeout: openClawDeadline(timeout),
      ...(agentId !== undefined && { agentId }),
    },
  };
}

/** The same for every attempt at a turn, different for each turn of a task. */
export function runIdOf({ taskId, message }: Turn): string {
  return `holdword-${taskId}-${message.messageId}`;
}

const NAMESPACE = 'openclaw-runs';

/** Which runs were submitted to which boot of the gateway. Survives a restart of this server, as the runs do. */
export class RunRecords {
  readonly #records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;

  constructor(records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>) {
    this.#records = records;
  }

  async find(runId: string): Promise<Pick<RunRequest, 'bootId' | 'sentAt'> | undefined> {
    const record = parseJson((await this.#records.getRecord(NAMESPACE, runId)) ?? '');
    const sentAt = numberAt(record, 'sentAt');
    return sentAt === undefined ? undefined : { sentAt, bootId: textAt(record, 'bootId') };
  }

  async remember({ runId, bootId, sentAt }: RunRequest): Promise<void> {
    await this.#records.putRecord(NAMESPACE, runId, JSON.stringify({ bootId, sentAt }));
  }

  async forget(runId: string): Promise<void> {
    await this.#records.deleteRecord(NAMESPACE, runId);
  }
}

/** Reads the events of a run while it is running. */
export class RunEvents {
  readonly #runId: string;
  #streamed = '';

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The text of the answer that was passed on so far. */
  get streamed(): string {
    return this.#streamed;
  }

  read({ name, payload }: GatewayEvent): CliOutput[] {
    if (textAt(payload, 'runId') !== this.#runId) return [];
    if (name === 'chat' && textAt(payload, 'state') === 'delta') return this.#more(payload);
    if (name === 'agent' && textAt(payload, 'stream') === 'tool') return toolUse(valueAt(payload, 'data'));
    return [];
  }

  /**
   * Each event has the whole text so far. If it is not a continuation, OpenClaw has changed its text: then nothing is passed
   * on, and the final answer replaces everything.
   */
  #more(payload: unknown): CliOutput[] {
    const whole = listAt(payload, 'message', 'content')
      .map((block) => textAt(block, 'text') ?? '')
      .join('');
    if (!whole.startsWith(this.#streamed) || whole === this.#streamed) return [];
    const text = whole.slice(this.#streamed.length);
    this.#streamed = whole;
    return [{ kind: 'text', text }];
  }
}

/** Only the name: the arguments of a tool may contain secrets. */
function toolUse(data: unknown): CliOutput[] {
  const name = textAt(data, 'name') ?? 'without a name';
  const callId = textAt(data, 'toolCallId') ?? '';
  const phase = textAt(data, 'phase');
  if (phase === 'start') {
    return [
      {
        kind: 'status',
        text: `Using tool ${name}.`,
        metadata: { tool: { name, callId, phase: 'start' } },
      },
    ];
  }
  if (phase !== 'result') return [];
  const failed = valueAt(data, 'isError') === true;
  const text = failed ? `Tool ${name} failed.` : `Tool ${name} finished.`;
  return [{ kind: 'status', text, metadata: { tool: { name, callId, phase: failed ? 'error' : 'end' } } }];
}
