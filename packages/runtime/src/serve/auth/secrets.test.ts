import { expect, test } from 'vitest';
import { hashSecret, isSecretOf, newSecret } from './secrets.ts';

test('a secret matches its hash, and no other secret does', () => {
  const secret = newSecret();
  expect(isSecretOf(secret, hashSecret(secret))).toBe(true);
  expect(isSecretOf(newSecret(), hashSecret(secret))).toBe(false);
  expect(isSecretOf(secret, 'not a hash')).toBe(false);
  expect(hashSecret(secret)).not.toContain(secret);
});
