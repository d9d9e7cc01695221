import { ConnectionError, isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import {
  isA2AError,
  type ListTasksResponse,
  type ProtocolBinding,
  type ProtocolVersion,
  type SendMessageResponse,
  type Task,
} from '@holdword/protocol';
import { hasRemoteText, quotedMessage, withRemoteText } from '@holdword/protocol/internal';
import { isTooLarge } from './http-endpoint.ts';
import type { Peer, PeerEvent } from './peer.ts';

/**
 * Several transports to one agent.
 *
 * Responsible for using the first transport that works and staying with it. The next one is tried only if a request
 * certainly had no effect (no connection, a forbidden address, an unsupported version or method), so no message is sent
 * twice. Leaves the handling of lost responses to callers.
 */
export class FallbackPeer implements Peer {
  readonly #openers: readonly (() => Promise<Peer>)[];
  readonly #onUnreachable: () => void;
  readonly #opened = new Map<number, Promise<Peer>>();
  #current = 0;
  #identity: { binding: ProtocolBinding; version: ProtocolVersion } = { binding: 'JSONRPC', version: '1.0' };

  /** @param onUnreachable Called when no transport could be connected. */
  constructor(openers: readonly (() => Promise<Peer>)[], onUnreachable: () => void = () => {}) {
    this.#openers = openers;
    this.#onUnreachable = onUnreachable;
  }

  /** Of the transport that was used last. */
  get binding(): ProtocolBinding {
    return this.#identity.binding;
  }

  get version(): ProtocolVersion {
    return this.#identity.version;
  }

  send(...call: Parameters<Peer['send']>): Promise<SendMessageResponse> {
    return this.#call((peer) => peer.send(...call));
  }

  stream(...call: Parameters<Peer['stream']>): AsyncIterable<PeerEvent> {
    return this.#stream((peer) => peer.stream(...call));
  }

  subscribe(...call: Parameters<Peer['subscribe']>): AsyncIterable<PeerEvent> {
    return this.#stream((peer) => peer.subscribe(...call));
  }

  get(...call: Parameters<Peer['get']>): Promise<Task> {
    // A large task is read over a binding that can: gRPC needs a message in memory, the others do not.
    return this.#call((peer) => peer.get(...call), isTooLarge);
  }

  list(...call: Parameters<Peer['list']>): Promise<ListTasksResponse> {
    return this.#call((peer) => peer.list(...call));
  }

  cancel(...call: Parameters<Peer['cancel']>): Promise<Task> {
    return this.#call((peer) => peer.cancel(...call));
  }

  close(): void {
    for (const peer of this.#opened.values()) {
      peer.then(
        (opened) => opened.close(),
        () => {},
      );
    }
    this.#opened.clear();
  }

  async #call<Answer>(
    run: (peer: Peer) => Promise<Answer>,
    mayTryNext: (error: unknown) => boolean = () => false,
  ): Promise<Answer> {
    const failures: unknown[] = [];
    for (const index of this.#order()) {
      try {
        const answer = await run(await this.#open(index));
        this.#current = index;
        return answer;
      } catch (error) {
        if (!hadNoEffect(error) && !mayTryNext(error)) throw error;
        failures.push(error);
      }
    }
    throw this.#allFailed(failures);
  }

  async *#stream(run: (peer: Peer) => AsyncIterable<PeerEvent>): AsyncGenerator<PeerEvent> {
    const failures: unknown[] = [];
    for (const index of this.#order()) {
      let began = false;
      try {
        for await (const event of run(await this.#open(index))) {
          began = true;
          this.#current = index;
          yield event;
        }
        return;
      } catch (error) {
        if (began || !hadNoEffect(error)) throw error;
        failures.push(error);
      }
    }
    throw this.#allFailed(failures);
  }

  #allFailed(failures: readonly unknown[]): unknown {
    const failure = allFailed(failures);
    if (isConnectionError(failure)) this.#onUnreachable();
    return failure;
  }

  /** The transport that worked last, then the others in order. */
  #order(): number[] {
    const others = this.#openers.map((_, index) => index).filter((index) => index !== this.#current);
    return [this.#current, ...others];
  }

  async #open(index: number): Promise<Peer> {
    const opened = this.#opened.get(index) ?? this.#openers[index]?.();
    if (opened === undefined) throw new Error('A peer needs at least one transport.');
    this.#opened.set(index, opened);
    const { binding, version } = await opened;
    this.#identity = { binding, version };
    return opened;
  }
}

/** Whether the request had no effect on the agent, so that it can be sent over another transport. */
function hadNoEffect(error: unknown): boolean {
  if (isConnectionError(error)) return !error.sent;
  if (isForbiddenUrlError(error)) return true;
  return isA2AError(error) && (error.code === 'VERSION_NOT_SUPPORTED' || error.code === 'METHOD_NOT_FOUND');
}

/** A connection error takes precedence over a rejection: an unreachable interface may be back soon. */
function allFailed(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (failures.length === 1 || !failures.some(isConnectionError)) return first;
  const reasons = failures.map((failure) =>
    failure instanceof Error ? quotedMessage(failure) : String(failure),
  );
  const failure = new ConnectionError(
    `none of the agent's ${failures.length} interfaces can be used: ${[...new Set(reasons)].join('; ')}`,
    { sent: false, cause: first },
  );
  return failures.some(hasRemoteText) ? withRemoteText(failure) : failure;
}
