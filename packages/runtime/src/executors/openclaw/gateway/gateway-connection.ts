import type { JsonObject } from '@holdword/protocol';
import { numberAt, objectAt, parseJson, textAt, valueAt } from '../../json-value.ts';
import type { GatewayAddress } from './find-gateway.ts';
import { GatewayRejection, GatewayUnreachable } from './gateway-errors.ts';

/** Something the gateway tells without being asked. */
export interface GatewayEvent {
  readonly name: string;
  readonly payload: unknown;
}

/** What the gateway says of itself when it lets somebody in. */
export interface GatewayHello {
  /** Another one after each start of the gateway; undefined in versions that do not say. */
  readonly bootId: string | undefined;
  readonly defaultAgentId: string;
  readonly version: string;
}

interface PendingRequest {
  readonly isFinal: (payload: unknown) => boolean;
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: Error) => void;
}

const PROTOCOL = 4;
const OPEN_MILLISECONDS = 10_000;
/** The gateway says something at least this often unless it says otherwise. */
const DEFAULT_TICK_MILLISECONDS = 30_000;
/** How many of those may stay out before the connection counts as dead. */
const MISSED_TICKS = 3;

/**
 * One WebSocket to an OpenClaw gateway, protocol version 4.
 *
 * Responsible for the handshake, for matching answers to requests, and for every request coming to an end: when the
 * connection ends or falls silent, all that wait learn it. It does not reconnect; see GatewayLink.
 */
export class GatewayConnection {
  readonly #socket: WebSocket;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #listeners = new Set<(event: GatewayEvent) => void>();
  #hello: GatewayHello = { bootId: undefined, defaultAgentId: 'main', version: 'unknown' };
  #tickMilliseconds = DEFAULT_TICK_MILLISECONDS;
  #silence: NodeJS.Timeout | undefined;
  #requests = 0;
  #lost: GatewayUnreachable | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', () => this.#end('the connection was closed'));
    socket.addEventListener('error', () => this.#end('the connection failed'));
  }

  /** Resolves when the gateway has let us in; rejects when it cannot be reached or refuses. */
  static async open({ url, token }: GatewayAddress): Promise<GatewayConnection> {
    const connection = new GatewayConnection(new WebSocket(url));
    const timer = setTimeout(() => connection.#end('it did not answer in time'), OPEN_MILLISECONDS);
    try {
      await connection.#challenged();
      await connection.#greet(token);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return connection;
  }

  get hello(): GatewayHello {
    return this.#hello;
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /** Some requests are answered more than once: `isFinal` tells the answer that counts. */
  request(
    method: string,
    params: JsonObject,
    isFinal: (payload: unknown) => boolean = () => true,
  ): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    this.#requests += 1;
    const id = String(this.#requests);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { isFinal, resolve, reject });
    this.#socket.send(JSON.stringify({ type: 'req', id, method, params }));
    return promise;
  }

  /** Returns how to stop listening. */
  listen(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#end('it was closed here');
  }

  /** The gateway speaks first. Waiting for that ends with the connection, as a request does. */
  #challenged(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = this.listen(({ name }) => {
      if (name === 'connect.challenge') resolve();
    });
    this.#pending.set('challenge', { isFinal: () => true, resolve: () => {}, reject });
    return promise.finally(() => {
      stop();
      this.#pending.delete('challenge');
    });
  }

  async #greet(token: string | undefined): Promise<void> {
    const hello = await this.request('connect', {
      minProtocol: PROTOCOL,
      maxProtocol: PROTOCOL,
      client: { id: 'gateway-client', version: '1.0.0', platform: process.platform, mode: 'backend' },
      role: 'operator',
      scopes: ['operator.read', 'operator.write'],
      caps: ['tool-events'],
      ...(token !== undefined && { auth: { token } }),
    });
    this.#tickMilliseconds = numberAt(hello, 'policy', 'tickIntervalMs') ?? DEFAULT_TICK_MILLISECONDS;
    this.#hello = {
      bootId: textAt(hello, 'server', 'bootId'),
      version: textAt(hello, 'server', 'version') ?? 'unknown',
      defaultAgentId: textAt(hello, 'snapshot', 'sessionDefaults', 'defaultAgentId') ?? 'main',
    };
    this.#expectMore();
  }

  #receive(data: unknown): void {
    if (this.#lost !== undefined) return;
    this.#expectMore();
    const frame = objectAt(parseJson(String(data)));
    if (frame === undefined) return;
    if (frame['type'] === 'event') {
      const event = { name: textAt(frame, 'event') ?? '', payload: frame['payload'] };
      for (const listener of this.#listeners) listener(event);
    } else this.#answer(frame);
  }

  #answer(frame: JsonObject): void {
    const id = textAt(frame, 'id') ?? '';
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (valueAt(frame, 'ok') === true) {
      if (!pending.isFinal(frame['payload'])) return;
      pending.resolve(frame['payload']);
    } else {
      const code = textAt(frame, 'error', 'code') ?? 'UNKNOWN';
      pending.reject(new GatewayRejection(code, textAt(frame, 'error', 'message') ?? code));
    }
    this.#pending.delete(id);
  }

  #expectMore(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () => this.#end('it has fallen silent'),
      this.#tickMilliseconds * MISSED_TICKS,
    ).unref();
  }

  #end(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new GatewayUnreachable(`The OpenClaw gateway cannot be reached: ${reason}.`);
    clearTimeout(this.#silence);
    for (const { reject } of this.#pending.values()) reject(this.#lost);
    this.#pending.clear();
    this.#listeners.clear();
    this.#socket.close();
  }
}
