import { randomUUID } from 'node:crypto';
import { GatewayConnection, type GatewayEvent } from '@holdword/runtime/testing/openclaw';
import type { OpenClawHome } from './openclaw-home.ts';

/** A gateway event of a turn, reduced to what tests use. */
export interface ChatEvent {
  readonly runId?: string;
  readonly sessionKey?: string;
  /** Of events named `chat`. */
  readonly state?: string;
  /** Of events named `agent`. */
  readonly stream?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface ChatTurn {
  readonly events: readonly ChatEvent[];
  /** How it ended: `final`, `aborted` or `error`. */
  readonly ended: Promise<string>;
  abort(): Promise<void>;
}

const ENDS = ['final', 'aborted', 'error'];

/** Chats with the agent of a gateway as its owner. */
export class GatewayChat {
  readonly #connection: GatewayConnection;
  readonly #sessionKey: string;

  private constructor(connection: GatewayConnection, sessionKey: string) {
    this.#connection = connection;
    this.#sessionKey = sessionKey;
  }

  static async open(home: OpenClawHome, sessionKey = 'agent:main:chat'): Promise<GatewayChat> {
    const connection = await GatewayConnection.open({
      url: home.gatewayUrl,
      token: home.gatewayToken,
      isLocal: true,
    });
    return new GatewayChat(connection, sessionKey);
  }

  /** Starts a turn and collects its events until it ends. */
  async say(message: string): Promise<ChatTurn> {
    const runId = randomUUID();
    const events: ChatEvent[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const stop = this.#connection.listen((event) => {
      const payload = payloadOf(event);
      if (payload.runId !== runId) return;
      events.push(payload);
      if (event.name !== 'chat' || !ENDS.includes(payload.state ?? '')) return;
      stop();
      resolve(payload.state ?? '');
    });
    const sessionKey = this.#sessionKey;
    await this.#connection.request('chat.send', { sessionKey, message, idempotencyKey: runId });
    const abort = async (): Promise<void> => {
      await this.#connection.request('chat.abort', { sessionKey, runId });
    };
    return { events, ended, abort };
  }

  close(): void {
    this.#connection.close();
  }
}

function payloadOf({ payload }: GatewayEvent): ChatEvent {
  return payload ?? {};
}
