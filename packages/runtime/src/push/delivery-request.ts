import { createHash } from 'node:crypto';
import type { StreamResponse } from '@holdword/protocol';
import { coreStreamResponseToV03, VERSION_PARAMETER } from '@holdword/protocol/internal';
import type { CommittedEvent } from '@holdword/store';
import { SignJWT } from 'jose';
import { DIGEST_CLAIM, PUSH_HEADERS, SIGNATURE_TYPE } from './push-headers.ts';
import type { PushKeys } from './push-keys.ts';
import { deliveryId, type PushTarget } from './push-target.ts';

export interface DeliveryRequest {
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
  const body = legacy ? legacyBody(event) : event.json;
  const id = deliveryId(target, event.sequence);
  const issuedAt = Math.floor(Date.now() / 1000);
  const signature = await new SignJWT({
    [DIGEST_CLAIM]: createHash('sha256').update(body).digest('base64url'),
  })
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

function legacyBody({ json }: CommittedEvent): string {
  return JSON.stringify(coreStreamResponseToV03(JSON.parse(json) as StreamResponse));
}

/** Scheme names are case-insensitive (RFC 9110, 11.1), but many receivers know only one spelling. */
function authorizationOf({ authentication }: PushTarget): string | undefined {
  if (authentication?.credentials === undefined) return undefined;
  const { scheme, credentials } = authentication;
  const usual = ['Bearer', 'Basic'].find((name) => name.toLowerCase() === scheme.toLowerCase());
  return `${usual ?? scheme} ${credentials}`;
}
