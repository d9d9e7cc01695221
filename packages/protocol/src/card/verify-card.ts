import {
  base64url,
  decodeProtectedHeader,
  flattenedVerify,
  type CryptoKey,
  type JWK,
  type KeyObject,
} from 'jose';
import { z } from 'zod';
import { safeParse } from '../safe-parse.ts';
import { agentCardSignatureSchema, type AgentCardSignature } from './agent-card.ts';
import { canonicalJson } from './canonical-json.ts';
import { canonicalizeCard } from './canonicalize-card.ts';

/** What a signature says of its key. Nothing of it is to be believed before the signature holds. */
export interface SignatureKeyHint {
  algorithm: string;
  keyId?: string;
  keySetUrl?: string;
}

/** Finds a public key the caller trusts, or nothing. */
export type CardKeyResolver = (
  hint: SignatureKeyHint,
) => Promise<CryptoKey | KeyObject | JWK | undefined> | CryptoKey | KeyObject | JWK | undefined;

export type CardVerification =
  /** A trusted key has signed the card as it is. */
  | { status: 'verified'; keyId?: string }
  /** The card has no signatures. */
  | { status: 'absent' }
  /** It has some, none by a key the caller trusts. */
  | { status: 'unverifiable' }
  /** A trusted key is named, but the card is not what it has signed. */
  | { status: 'invalid' };

/** Symmetric algorithms and `none` prove nothing about a public document. */
const ALGORITHMS = 'ES256 ES384 ES512 EdDSA Ed25519 RS256 RS384 RS512 PS256 PS384 PS512'.split(' ');

const signedCardSchema = z.object({ signatures: z.array(agentCardSignatureSchema).optional() });

/**
 * Checks the signatures of a card as it was received: pass the decoded JSON, not a card that a schema has changed. One
 * signature by a trusted key is enough.
 */
export async function verifyCard(card: object, resolveKey: CardKeyResolver): Promise<CardVerification> {
  const parsed = safeParse(signedCardSchema, card);
  if (!parsed.success) return { status: 'unverifiable' };
  const signatures = parsed.data.signatures ?? [];
  if (signatures.length === 0) return { status: 'absent' };

  let status: 'unverifiable' | 'invalid' = 'unverifiable';
  for (const signature of signatures) {
    const hint = readHint(signature);
    const key = hint && (await resolveKey(hint));
    if (hint === undefined || key === undefined) continue;
    if (await holds(signature, key, card)) {
      return { status: 'verified', ...(hint.keyId !== undefined && { keyId: hint.keyId }) };
    }
    status = 'invalid';
  }
  return { status };
}

function readHint(signature: AgentCardSignature): SignatureKeyHint | undefined {
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

async function holds(
  signature: AgentCardSignature,
  key: CryptoKey | KeyObject | JWK,
  card: object,
): Promise<boolean> {
  for (const payload of signedForms(card)) {
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
 * The canonical form, and the card just as it was received: signers exist that leave fields at their default value in.
 * Either way every byte that was received is covered.
 */
function signedForms(card: object): string[] {
  const rest = Object.fromEntries(Object.entries(card).filter(([field]) => field !== 'signatures'));
  return [...new Set([canonicalizeCard(card), canonicalJson(rest)])].map((text) => base64url.encode(text));
}
