import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret that cannot be guessed. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash to store instead of a secret. The secret is random, so a plain fast hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a hash belongs to this secret, in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const left = Buffer.from(hashSecret(secret));
  const right = Buffer.from(hash);
  return left.length === right.length && timingSafeEqual(left, right);
}
