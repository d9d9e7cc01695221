import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { SIGNATURE_METADATA, type JsonObject } from '@holdword/protocol';
import { canonicalJson, digestedText, type SaidContent, statementText } from '@holdword/protocol/internal';
import type { TurnEvent, WireTurn } from './wire.ts';

/** The key with which a worker signs what its agent says. */
export interface WorkerSigningKey {
  /** The private key: Ed25519, or ECDSA with P-256. */
  readonly key: KeyObject;
  /**
   * Names the key on the card of the agent.
   * @default its thumbprint (RFC 7638)
   */
  readonly keyId?: string | undefined;
}

/** Signs the events of turns, so that callers need not trust the host to pass on what the agent said. */
export class EventSigner {
  readonly #key: KeyObject;
  readonly #header: string;
  readonly keyId: string;
  /** For the card of the agent. */
  readonly publicKey: JsonObject;

  /** @throws TypeError if the key is of another kind. */
  constructor({ key, keyId }: WorkerSigningKey) {
    const isCurve = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    if (key.type !== 'private' || (key.asymmetricKeyType !== 'ed25519' && !isCurve))
      throw new TypeError('Expected a private key for signing: Ed25519, or ECDSA with P-256.');
    const alg = isCurve ? 'ES256' : 'EdDSA';
    const jwk = createPublicKey(key).export({ format: 'jwk' }) as JsonObject;
    this.#key = key;
    this.keyId = keyId ?? sha256(canonicalJson(jwk));
    this.#header = base64url(JSON.stringify({ alg, kid: this.keyId }));
    this.publicKey = { ...jwk, kid: this.keyId, alg };
  }

  /** The event with its signature, as a detached JWS, in its metadata. Events that callers do not see stay as they are. */
  signed(event: TurnEvent, number: number, { taskId, contextId, fence, message }: WireTurn): TurnEvent {
    const said = saidIn(event);
    if (said === undefined) return event;
    const about = {
      // The fence itself is between the worker and its host.
      run: sha256(fence),
      number,
      message: { messageId: message.messageId, digest: sha256(digestedText(message)) },
    };
    const signed = `${this.#header}.${base64url(statementText({ taskId, contextId, ...about, said }))}`;
    const options = { key: this.#key, dsaEncoding: 'ieee-p1363' } as const;
    const digest = this.#key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    const signature = `${this.#header}..${sign(digest, Buffer.from(signed), options).toString('base64url')}`;
    return withMetadata(event, { [SIGNATURE_METADATA]: { ...about, signature } });
  }
}

function saidIn(event: TurnEvent): SaidContent | undefined {
  if ('artifact' in event) {
    const { append = false, lastChunk = false, ...artifact } = event.artifact;
    return { artifact, append, lastChunk };
  }
  if ('status' in event) return { state: event.status.state, parts: event.status.parts };
  return 'ask' in event ? { state: event.ask.state, parts: event.ask.parts } : undefined;
}

function withMetadata(event: TurnEvent, added: JsonObject): TurnEvent {
  if ('artifact' in event) {
    const eventMetadata = { ...event.artifact.eventMetadata, ...added };
    return { artifact: { ...event.artifact, eventMetadata } };
  }
  if ('status' in event)
    return { status: { ...event.status, metadata: { ...event.status.metadata, ...added } } };
  return 'ask' in event ? { ask: { ...event.ask, metadata: { ...event.ask.metadata, ...added } } } : event;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
