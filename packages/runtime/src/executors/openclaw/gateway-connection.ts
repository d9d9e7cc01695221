import type { JsonObject } from '@holdword/protocol';
import type { Log } from '../../log.ts';
import { numberAt, objectAt, parseJson, textAt, valueAt } from '../json-value.ts';
import type { GatewayAddress } from './find-gateway.ts';

/** An event that the gateway sends. */
export interface GatewayEvent {
  readonly name: string;
  readonly payload: unknown;
}

/** What the gateway reports when it accepts a connection. */
export interface GatewayHello {
  /** Changes with each start of the gateway; undefined in versions that do not send it. */
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
/** The gateway sends something at least this often, unless it announces another interval. */
const DEFAULT_TICK_MILLISECONDS = 30_000;
/** How many of those may be missing before the connection counts as lost. */
const MISSED_TICKS = 3;

/**
 * One WebSocket to an OpenClaw gateway, protocol version 4.
 *
 * Responsible for the handshake, for matching responses to requests, and for settling every request: when the connection
 * closes or times out, all pending requests are rejected. It does not reconnect; see GatewayLink.
 */
export class GatewayConnection {
  readonly #socket: WebSocket;
  /** Without a path, which may contain a secret. */
  readonly #address: string;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #listeners = new Set<(event: GatewayEvent) => void>();
  #hello: GatewayHello = { bootId: undefined, defaultAgentId: 'main', version: 'unknown' };
  #tickMilliseconds = DEFAULT_TICK_MILLISECONDS;
  #inactivityTimer: NodeJS.Timeout | undefined;
  #requests = 0;
  #lost: GatewayUnreachable | undefined;

  private constructor(url: string) {
    const { protocol, host } = new URL(url);
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#address = `${protocol}//${host}`;
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', () => this.#end('the connection was closed'));
    socket.addEventListener('error', () => this.#end('the connection failed'));
  }

  /**
   * Resolves when the gateway has accepted the connection. Rejects with GatewayUnreachable, with GatewayStarting if it will
   * accept one soon, or with GatewayRefusal if a gateway responded and did not accept it.
   */
  static async open({ url, token }: GatewayAddress): Promise<GatewayConnection> {
    const connection = new GatewayConnection(url);
    const timer = setTimeout(() => connection.#end('it did not respond in time'), OPEN_MILLISECONDS);
    try {
      await connection.#challenged();
      await connection.#greet(token);
    } catch (error) {
      connection.close();
      if (!(error instanceof GatewayRejection)) throw error;
      const { retryAfterMilliseconds } = error;
      throw retryAfterMilliseconds === undefined
        ? new GatewayRefusal(connection.#address, error)
        : new GatewayStarting(connection.#address, error.message, retryAfterMilliseconds);
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

  /** Some requests get more than one response: `isFinal` recognizes the last one. */
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

  /** Returns a function that removes the listener. */
  listen(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#end('the connection was closed by this server');
  }

  /** Waits for the challenge, which the gateway sends first. Rejected when the connection ends, as a request is. */
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
    this.#restartInactivityTimer();
  }

  #receive(data: unknown): void {
    if (this.#lost !== undefined) return;
    this.#restartInactivityTimer();
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
      pending.reject(rejectionOf(objectAt(frame, 'error')));
    }
    this.#pending.delete(id);
  }

  #restartInactivityTimer(): void {
    clearTimeout(this.#inactivityTimer);
    this.#inactivityTimer = setTimeout(
      () => this.#end('it stopped responding'),
      this.#tickMilliseconds * MISSED_TICKS,
    ).unref();
  }

  #end(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new GatewayUnreachable(
      `The OpenClaw gateway at ${this.#address} is not reachable: ${reason}. ` +
        'Start it with "openclaw gateway run", or set OPENCLAW_GATEWAY_URL.',
    );
    clearTimeout(this.#inactivityTimer);
    for (const { reject } of this.#pending.values()) reject(this.#lost);
    this.#pending.clear();
    this.#listeners.clear();
    this.#socket.close();
  }
}

/**
 * The connection to a gateway that all turns share. It is opened on first use, and reopened after it was lost. The address is
 * looked up each time: a gateway may come back with another configuration.
 */
export class GatewayLink {
  readonly #find: () => Promise<GatewayAddress>;
  readonly #log: Log;
  #opening: Promise<OpenGateway> | undefined;

  constructor(find: () => Promise<GatewayAddress>, log: Log) {
    this.#find = find;
    this.#log = log;
  }

  async open(): Promise<OpenGateway> {
    const known = this.#opening;
    const current = await known?.catch(() => undefined);
    if (current?.connection.isOpen) return current;
    // Unless another caller has started to connect in the meantime.
    if (this.#opening === known) this.#opening = this.#connect();
    return this.#opening as Promise<OpenGateway>;
  }

  async close(): Promise<void> {
    const current = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    current?.connection.close();
  }

  async #connect(): Promise<OpenGateway> {
    const address = await this.#find();
    const connection = await GatewayConnection.open(address);
    this.#log.info('Connected to the OpenClaw gateway.', {
      url: address.url,
      version: connection.hello.version,
    });
    return { connection, isLocal: address.isLocal };
  }
}

export interface OpenGateway {
  readonly connection: GatewayConnection;
  readonly isLocal: boolean;
}

/** The gateway rejected a request. */
export class GatewayRejection extends Error {
  /** Set if the gateway did nothing because it is starting, and will accept the same request after about this time. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, retryAfterMilliseconds?: number) {
    super(message);
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/** What the gateway names as the cause while it loads what it needs to run agents. */
const STARTUP_REASON = 'startup-sidecars';

const LEAST_RETRY_MILLISECONDS = 100;
const DEFAULT_RETRY_MILLISECONDS = 500;
const LONGEST_RETRY_MILLISECONDS = 5_000;

function rejectionOf(error: unknown): GatewayRejection {
  const message = textAt(error, 'message') ?? textAt(error, 'code') ?? 'UNKNOWN';
  if (textAt(error, 'details', 'reason') !== STARTUP_REASON) return new GatewayRejection(message);
  const asked = numberAt(error, 'retryAfterMs') ?? DEFAULT_RETRY_MILLISECONDS;
  const longEnough = Math.max(LEAST_RETRY_MILLISECONDS, asked);
  return new GatewayRejection(message, Math.min(longEnough, LONGEST_RETRY_MILLISECONDS));
}

/** A gateway is running and will accept connections soon: it has been started a moment ago. It has no runs yet. */
export class GatewayStarting extends Error {
  override readonly name = 'GatewayStarting';
  readonly retryAfterMilliseconds: number;

  constructor(address: string, message: string, retryAfterMilliseconds: number) {
    super(`The OpenClaw gateway at ${address} does not accept connections yet (${message}).`);
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/** A gateway is running and did not accept the connection. The message is for operators: it has the address. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';

  constructor(address: string, { message }: GatewayRejection) {
    const isUnauthorized = message.startsWith('unauthorized');
    super(
      isUnauthorized
        ? `The OpenClaw gateway at ${address} refused the token (${message}). Check OPENCLAW_GATEWAY_TOKEN, the option ` +
            'gateway.tokenVariable, or gateway.auth.token of OpenClaw.'
        : `The OpenClaw gateway at ${address} refused the connection: ${message}.`,
    );
  }
}

/** There is no connection to the gateway, or it was lost. A pending request may have been carried out. */
export class GatewayUnreachable extends Error {}
