/** Verify and handle push notifications of a Holdword server. */
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { verifyDelivery, type PushDelivery } from './verify-delivery.ts';

export { PushRefusedError } from './push-refused-error.ts';
export type { PushDelivery } from './verify-delivery.ts';

/** Whose notifications are accepted, and where progress is remembered. */
export interface PushReceiverOptions {
  /** The sender's public keys, or the URL where it publishes them: `https://agent.example/.well-known/jwks.json`. */
  keys: URL | JSONWebKeySet;
  /** The origin of the URL that was given to the sender: `https://receiver.example`. */
  audience: string;
  /**
   * The maximum age of a notification, and of clock differences.
   * @default 300
   */
  toleranceSeconds?: number;
  /**
   * Where the receiver remembers what it has handled.
   * @default memory
   */
  cursors?: PushCursors;
}

/** The last handled sequence number, by stream. */
export interface PushCursors {
  get(stream: string): Promise<number | undefined>;
  set(stream: string, sequence: number): Promise<void>;
}

/** An incoming notification: header names in lower case, the body as it was sent. */
export interface IncomingNotification {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Verifies incoming push notifications and hands each one over once. */
export interface PushReceiver {
  /**
   * Verifies a notification and passes it to `handle`, unless it was handled before. Resolves when it is handled:
   * respond to the sender only then.
   * @throws PushRefusedError if it was not signed by the sender, or whatever `handle` rejects with; the sender retries
   */
  receive(
    notification: IncomingNotification,
    handle: (delivery: PushDelivery) => Promise<void>,
  ): Promise<'handled' | 'duplicate'>;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Receives push notifications of a Holdword server.
 *
 * Responsible for handling only what the sender signed, each event once and in the order of the task. The sender sends
 * in order and repeats until it gets a response, so anything not above the last handled number is a repetition. Leaves
 * to the cursors whether that survives a restart, and to the sender that nothing is skipped.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { text } from 'node:stream/consumers';
 *
 * const receiver = createPushReceiver({
 *   keys: new URL('https://agent.example/.well-known/jwks.json'),
 *   audience: 'https://receiver.example',
 * });
 * createServer(async (request, response) => {
 *   const notification = { headers: request.headers, body: await text(request) };
 *   try {
 *     await receiver.receive(notification, async ({ sequence, event }) => console.log(sequence, event));
 *     response.writeHead(204).end();
 *   } catch (error) {
 *     response.writeHead(error instanceof PushRefusedError ? error.status : 500).end();
 *   }
 * }).listen(4311);
 * ```
 */
export function createPushReceiver(options: PushReceiverOptions): PushReceiver {
  const keys = keySource(options.keys);
  const { audience, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const cursors = options.cursors ?? memoryCursors();
  const lastOfStream = new Map<string, Promise<unknown>>();
  return {
    async receive(notification, handle) {
      const delivery = await verifyDelivery(notification, { keys, audience, toleranceSeconds });
      const { stream, sequence } = delivery;
      const before = lastOfStream.get(stream) ?? Promise.resolve();
      // A request that the sender timed out may still be handled here when the next one arrives.
      const mine = before.then(async () => {
        if (sequence <= ((await cursors.get(stream)) ?? 0)) return 'duplicate' as const;
        await handle(delivery);
        await cursors.set(stream, sequence);
        return 'handled' as const;
      });
      const settled = mine.catch(() => {});
      lastOfStream.set(stream, settled);
      try {
        return await mine;
      } finally {
        if (lastOfStream.get(stream) === settled) lastOfStream.delete(stream);
      }
    },
  };
}

function keySource(keys: URL | JSONWebKeySet): JWTVerifyGetKey {
  return keys instanceof URL ? createRemoteJWKSet(keys) : createLocalJWKSet(keys);
}

function memoryCursors(): PushCursors {
  const sequences = new Map<string, number>();
  return {
    get: async (stream) => sequences.get(stream),
    set: async (stream, sequence) => void sequences.set(stream, sequence),
  };
}
