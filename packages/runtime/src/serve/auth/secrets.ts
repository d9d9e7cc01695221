import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that nobody can guess, for one who proves with it who they are. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret. It is random, so a plain fast hash is enough: there is nothing to guess. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a hash was made of this secret. Takes the same time whatever was sent. */
export function isSecretOf(secret: string, hash: string): boolean {
  const left = Buffer.from(hashSecret(secret));
  const right = Buffer.from(hash);
  return left.length === right.length && timingSafeEqual(left, right);
}
