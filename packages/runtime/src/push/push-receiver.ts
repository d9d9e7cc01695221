/** Verify and handle push notifications of a Holdword server. */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { bodyDigest, DIGEST_CLAIM, PUSH_HEADERS, readDeliveryId, SIGNATURE_TYPE } from './delivery-format.ts';

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

/** A notification that was signed by the sender. */
export interface PushDelivery {
  /** The same for every attempt to deliver this event. */
  deliveryId: string;
  /** Identifies the events of one task for one configuration. */
  stream: string;
  taskId: string;
  configId: string;
  /** The sequence number of the event within its task. */
  sequence: number;
  /** The body: a StreamResponse of A2A 1.0, or an event of 0.3. */
  event: unknown;
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

/**
 * A notification that cannot be trusted. Respond with `status`.
 *
 * @example
 * ```ts
 * throw new PushRefusedError(401, 'The signature is not valid.');
 * ```
 */
export class PushRefusedError extends Error {
  /** The HTTP status for the response. */
  readonly status: 400 | 401;

  constructor(status: 400 | 401, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PushRefusedError';
    this.status = status;
  }
}

interface VerifyOptions {
  keys: JWTVerifyGetKey;
  audience: string;
  toleranceSeconds: number;
}

/** Checks the sender, the receiver, the time and the body. Rejects with PushRefusedError. */
async function verifyDelivery(
  { headers, body }: IncomingNotification,
  options: VerifyOptions,
): Promise<PushDelivery> {
  const signature = headers[PUSH_HEADERS.signature.toLowerCase()];
  if (typeof signature !== 'string') {
    throw new PushRefusedError(401, `The header ${PUSH_HEADERS.signature} is missing.`);
  }
  const claims = await verifySignature(signature, options);
  if (claims[DIGEST_CLAIM] !== bodyDigest(body)) {
    throw new PushRefusedError(401, 'The body does not match the signature.');
  }
  const deliveryId = claims.jti ?? '';
  const name = readDeliveryId(deliveryId);
  if (name === undefined) throw new PushRefusedError(400, 'The delivery id is malformed.');
  const stream = deliveryId.slice(0, deliveryId.lastIndexOf('/'));
  return { deliveryId, stream, ...name, event: parseBody(body) };
}

async function verifySignature(
  signature: string,
  { keys, audience, toleranceSeconds }: VerifyOptions,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(signature, keys, {
      audience,
      typ: SIGNATURE_TYPE,
      maxTokenAge: toleranceSeconds,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['jti', 'iat', DIGEST_CLAIM],
    });
    return payload;
  } catch (error) {
    throw new PushRefusedError(401, 'The signature is not valid.', { cause: error });
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new PushRefusedError(400, 'The body is not JSON.');
  }
}
