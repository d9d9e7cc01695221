/** Verify and handle push notifications of a Holdword server. */
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { verifyDelivery, type PushDelivery } from './verify-delivery.ts';

export { PushRefusedError } from './push-refused-error.ts';
export type { PushDelivery } from './verify-delivery.ts';

export interface PushReceiverOptions {
  /** The sender's keys, or where it publishes them: `https://agent.example/.well-known/jwks.json`. */
  keys: URL | JSONWebKeySet;
  /** The origin of the URL that was given to the sender: `https://receiver.example`. */
  audience: string;
  /** How old a notification may be, and how far clocks may differ. */
  toleranceSeconds?: number;
  /** Where the receiver remembers what it has handled; in memory unless given. */
  cursors?: PushCursors;
}

/** The last sequence number that was handled, by stream. */
export interface PushCursors {
  get(stream: string): Promise<number | undefined>;
  set(stream: string, sequence: number): Promise<void>;
}

/** A notification as it came in: header names in lower case, the body as it was sent. */
export interface IncomingNotification {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export interface PushReceiver {
  /**
   * Verifies a notification and hands it on, unless it was handled before. Resolves when it is done, so that the answer
   * to the sender means that. Rejects with PushRefusedError, or with what `handle` rejects with; the sender tries again.
   */
  receive(
    notification: IncomingNotification,
    handle: (delivery: PushDelivery) => Promise<void>,
  ): Promise<'handled' | 'duplicate'>;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Takes in notifications of a Holdword server.
 *
 * Responsible for handling only what the sender signed, each event once and in the order of the task. The sender sends
 * in order and repeats until it is answered: what is not above the last number that was handled is a repetition.
 * Leaves to the cursors whether that survives a restart, and to the sender that nothing is left out.
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
      // A request that the sender gave up may still be handled here when the next one comes.
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
