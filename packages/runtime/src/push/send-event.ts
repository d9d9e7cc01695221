import { isForbiddenUrlError, type GuardedClient, type GuardedResponse } from '@holdword/net/internal';
import type { StreamResponse } from '@holdword/protocol';
import { coreStreamResponseToV03, VERSION_PARAMETER, withGeneration } from '@holdword/protocol/internal';
import type { CommittedEvent } from '@holdword/store';
import { SignJWT } from 'jose';
import {
  bodyDigest,
  DIGEST_CLAIM,
  PUSH_HEADERS,
  SIGNATURE_TYPE,
  writeDeliveryId,
} from './delivery-format.ts';
import type { PushKeys } from './push-keys.ts';
import type { PushTarget } from './push-targets.ts';

export interface SendOptions {
  client: GuardedClient;
  keys: PushKeys;
  timeoutMilliseconds: number;
  /** Aborts an attempt in progress. */
  signal: AbortSignal;
}

/** The outcome of one attempt. `refused`: the receiver or the policy said no, and retrying will hardly help. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'failed'; error: string; refused: boolean; retryAfterMilliseconds?: number | undefined }
  | { kind: 'gone'; error: string };

/** Only the status of the response counts; a little more is read so that the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Other client errors say that the receiver does not want the event. */
const WORTH_REPEATING: ReadonlySet<number> = new Set([408, 425, 429]);

/** One attempt to deliver one event to its target. The failure is described without secrets. */
export async function sendEvent(
  target: PushTarget,
  event: CommittedEvent,
  { client, keys, timeoutMilliseconds, signal }: SendOptions,
): Promise<Outcome> {
  try {
    const answer = await client.send({
      ...(await buildDeliveryRequest(target, event, keys)),
      url: target.url,
      method: 'POST',
      timeoutMilliseconds,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal,
    });
    return classifyResponse(answer);
  } catch (error) {
    if (isForbiddenUrlError(error)) {
      return { kind: 'failed', refused: true, error: `the URL must not be called: ${error.message}` };
    }
    return { kind: 'failed', refused: false, error: describe(error, timeoutMilliseconds) };
  }
}

function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return 'could not connect';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no response within ${timeoutMilliseconds / 1000} s`;
  }
  return 'code' in error ? `could not connect (${String(error.code)})` : 'could not connect';
}

interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

/** The request that delivers one event to a target: its body, and headers that identify the sender and the event. */
export async function buildDeliveryRequest(
  target: PushTarget,
  event: CommittedEvent,
  keys: PushKeys,
): Promise<DeliveryRequest> {
  const legacy = target.version === '0.3';
  const body = bodyOf(target, event);
  const { taskId, configId } = target;
  const id = writeDeliveryId({ taskId, configId, sequence: event.sequence });
  const issuedAt = Math.floor(Date.now() / 1000);
  const signature = await new SignJWT({ [DIGEST_CLAIM]: bodyDigest(body) })
    .setProtectedHeader({ alg: keys.algorithm, kid: keys.keyId, typ: SIGNATURE_TYPE })
    .setIssuedAt(issuedAt)
    .setJti(id)
    .setAudience(new URL(target.url).origin)
    .sign(keys.privateKey);
  const authorization = authorizationOf(target);
  return {
    body,
    headers: {
      'Content-Type': legacy ? 'application/json' : 'application/a2a+json',
      [VERSION_PARAMETER]: target.version,
      [PUSH_HEADERS.deliveryId]: id,
      [PUSH_HEADERS.timestamp]: String(issuedAt),
      [PUSH_HEADERS.signature]: signature,
      ...(target.token !== undefined && { [PUSH_HEADERS.token]: target.token }),
      ...target.trace,
      ...(authorization !== undefined && { Authorization: authorization }),
    },
  };
}

function bodyOf({ version }: PushTarget, { json, sequence }: CommittedEvent): string {
  if (version === '1.1') return withGeneration(json, sequence);
  if (version === '1.0') return json;
  return JSON.stringify(coreStreamResponseToV03(JSON.parse(json) as StreamResponse));
}

/**
 * Scheme names are case-insensitive (RFC 9110, 11.1), but many receivers know only one spelling. Receivers of A2A 0.3 often
 * look for the token here; it goes to the receiver that chose it either way.
 */
function authorizationOf({ authentication, token, version }: PushTarget): string | undefined {
  if (authentication === undefined && version === '0.3' && token) return `Bearer ${token}`;
  if (authentication?.credentials === undefined) return undefined;
  const { scheme, credentials } = authentication;
  const usual = ['Bearer', 'Basic'].find((name) => name.toLowerCase() === scheme.toLowerCase());
  return `${usual ?? scheme} ${credentials}`;
}

export function classifyResponse({ status, headers }: Pick<GuardedResponse, 'status' | 'headers'>): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const error = `answered ${status}`;
  if (status === 410) return { kind: 'gone', error };
  return {
    kind: 'failed',
    error,
    refused: status < 500 && !WORTH_REPEATING.has(status),
    retryAfterMilliseconds: readRetryAfter(headers['retry-after']),
  };
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
