import { FlattenedSign, type CryptoKey, type JWK, type KeyObject } from 'jose';
import { agentCardSchema, type AgentCard, type AgentCardSignature } from './agent-card.ts';
import { canonicalJson } from './canonical-json.ts';
import { pruneCard } from './canonicalize-card.ts';

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
