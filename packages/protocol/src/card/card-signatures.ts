import type * as joseLibrary from 'jose';
import type { CryptoKey, JWK, KeyObject } from 'jose';
import { z } from 'zod';
import { safeParse } from '../decode-request.ts';
import {
  agentCardSchema,
  agentCardSignatureSchema,
  type AgentCard,
  type AgentCardSignature,
} from './agent-card.ts';
import { canonicalizeCard, canonicalJson, pruneCard } from './canonical-card.ts';

/** The key that signs a card. */
export interface CardSigningKey {
  /** The private key. */
  key: CryptoKey | KeyObject | JWK;
  /** For example ES256 or EdDSA. */
  algorithm: string;
  /** Identifies the public key. */
  keyId: string;
  /** Where the public key is published as a JWK set. */
  keySetUrl?: string;
}

/**
 * Adds a signature (JWS, RFC 7515, with the card's canonical form as its detached payload) to a card. The result has no fields
 * at their default value, so that verifiers that do not omit them can verify it as well.
 *
 * @example
 * ```ts
 * import { generateKeyPairSync } from 'node:crypto';
 *
 * const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
 *
 * function sign(card: AgentCard): Promise<AgentCard> {
 *   return signCard(card, { key: privateKey, algorithm: 'ES256', keyId: 'key-1' });
 * }
 * ```
 */
export async function signCard(card: AgentCard, signingKey: CardSigningKey): Promise<AgentCard> {
  const { FlattenedSign } = await loadJose();
  const pruned = agentCardSchema.parse(pruneCard(card));
  const jws = await new FlattenedSign(new TextEncoder().encode(canonicalJson(pruned)))
    .setProtectedHeader({
      alg: signingKey.algorithm,
      typ: 'JOSE',
      kid: signingKey.keyId,
      ...(signingKey.keySetUrl !== undefined && { jku: signingKey.keySetUrl }),
    })
    .sign(signingKey.key);
  const signature: AgentCardSignature = { protected: jws.protected ?? '', signature: jws.signature };
  return { ...pruned, signatures: [...(card.signatures ?? []), signature] };
}

type Jose = typeof joseLibrary;

/** Most programs that read cards never see a signed one. */
function loadJose(): Promise<Jose> {
  return import('jose');
}

/** What a signature says about its key. Not trustworthy before the signature is verified. */
export interface SignatureKeyHint {
  algorithm: string;
  keyId?: string;
  keySetUrl?: string;
}

/** Returns a public key that the caller trusts, or nothing. */
export type CardKeyResolver = (
  hint: SignatureKeyHint,
) => Promise<CryptoKey | KeyObject | JWK | undefined> | CryptoKey | KeyObject | JWK | undefined;

/** The result of verifying a card. */
export type CardVerification =
  /** A trusted key has signed this card. */
  | { status: 'verified'; keyId?: string }
  /** The card has no signatures. */
  | { status: 'absent' }
  /** The card has signatures, but none by a trusted key. */
  | { status: 'unverifiable' }
  /** A signature names a trusted key but does not match the card. */
  | { status: 'invalid' };

/** Symmetric algorithms and `none` prove nothing about a public document. */
const ALGORITHMS = 'ES256 ES384 ES512 EdDSA Ed25519 RS256 RS384 RS512 PS256 PS384 PS512'.split(' ');

const signedCardSchema = z.object({ signatures: z.array(agentCardSignatureSchema).optional() });

/**
 * Verifies the signatures of a card as it was received: pass the decoded JSON, not a card that a schema has changed. One
 * signature by a trusted key is enough.
 *
 * @example
 * ```ts
 * import { createPublicKey } from 'node:crypto';
 * import { readFileSync } from 'node:fs';
 *
 * const trusted = createPublicKey(readFileSync('agent.pem'));
 * const response = await fetch('https://agent.example/.well-known/agent-card.json');
 * const card = JSON.parse(await response.text());
 * const { status } = await verifyCard(card, ({ keyId }) => (keyId === 'key-1' ? trusted : undefined));
 * console.log(status); // verified
 * ```
 */
export async function verifyCard(card: object, resolveKey: CardKeyResolver): Promise<CardVerification> {
  const parsed = safeParse(signedCardSchema, card);
  if (!parsed.success) return { status: 'unverifiable' };
  const signatures = parsed.data.signatures ?? [];
  if (signatures.length === 0) return { status: 'absent' };

  const jose = await loadJose();
  let status: 'unverifiable' | 'invalid' = 'unverifiable';
  for (const signature of signatures) {
    const hint = readHint(jose, signature);
    const key = hint && (await resolveKey(hint));
    if (hint === undefined || key === undefined) continue;
    if (await matches(jose, signature, key, card)) {
      return { status: 'verified', ...(hint.keyId !== undefined && { keyId: hint.keyId }) };
    }
    status = 'invalid';
  }
  return { status };
}

function readHint(
  { decodeProtectedHeader }: Jose,
  signature: AgentCardSignature,
): SignatureKeyHint | undefined {
  try {
    const { alg, kid, jku } = decodeProtectedHeader({ ...signature, payload: '' });
    if (alg === undefined || !ALGORITHMS.includes(alg)) return undefined;
    return {
      algorithm: alg,
      ...(typeof kid === 'string' && { keyId: kid }),
      ...(typeof jku === 'string' && { keySetUrl: jku }),
    };
  } catch {
    return undefined;
  }
}

async function matches(
  { flattenedVerify, base64url }: Jose,
  signature: AgentCardSignature,
  key: CryptoKey | KeyObject | JWK,
  card: object,
): Promise<boolean> {
  for (const payload of signedForms(card).map((text) => base64url.encode(text))) {
    try {
      const jws = { protected: signature.protected, signature: signature.signature, payload };
      await flattenedVerify(jws, key, { algorithms: ALGORITHMS });
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

/**
 * The canonical form, and the card as it was received: some signers do not omit fields at their default value. Either way the
 * signature covers everything that was received.
 */
function signedForms(card: object): string[] {
  const rest = Object.fromEntries(Object.entries(card).filter(([field]) => field !== 'signatures'));
  return [...new Set([canonicalizeCard(card), canonicalJson(rest)])];
}
