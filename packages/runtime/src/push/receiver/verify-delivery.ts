import { createHash } from 'node:crypto';
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { DIGEST_CLAIM, PUSH_HEADERS, SIGNATURE_TYPE } from '../push-headers.ts';
import type { IncomingNotification } from './push-receiver.ts';
import { PushRefusedError } from './push-refused-error.ts';

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

export interface VerifyOptions {
  keys: JWTVerifyGetKey;
  audience: string;
  toleranceSeconds: number;
}

/** Checks the sender, the receiver, the time and the body. Rejects with PushRefusedError. */
export async function verifyDelivery(
  { headers, body }: IncomingNotification,
  options: VerifyOptions,
): Promise<PushDelivery> {
  const signature = headers[PUSH_HEADERS.signature.toLowerCase()];
  if (typeof signature !== 'string') {
    throw new PushRefusedError(401, `The header ${PUSH_HEADERS.signature} is missing.`);
  }
  const claims = await verifySignature(signature, options);
  if (claims[DIGEST_CLAIM] !== createHash('sha256').update(body).digest('base64url')) {
    throw new PushRefusedError(401, 'The body does not match the signature.');
  }
  return { ...parseDeliveryId(claims.jti ?? ''), event: parseBody(body) };
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

function parseDeliveryId(deliveryId: string): Omit<PushDelivery, 'event'> {
  const [taskId = '', configId = '', sequence = ''] = deliveryId.split('/');
  if (!/^\d+$/.test(sequence)) throw new PushRefusedError(400, 'The delivery id is malformed.');
  return {
    deliveryId,
    stream: `${taskId}/${configId}`,
    taskId,
    configId: decodeURIComponent(configId),
    sequence: Number(sequence),
  };
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new PushRefusedError(400, 'The body is not JSON.');
  }
}
