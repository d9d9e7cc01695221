import { readFile } from 'node:fs/promises';
import type { CardSigningKey } from '@holdword/protocol';
import { z } from 'zod';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError } from '../usage-error.ts';

const privateKeySchema = z.looseObject({
  kty: z.string(),
  alg: z.string(),
  kid: z.string(),
  d: z.string(),
});

export interface FileSigningKey extends CardSigningKey {
  key: z.infer<typeof privateKeySchema>;
}

/** Reads a private key for signing the card or notifications: a JSON Web Key with `alg` and `kid`. */
export async function readSigningKey(file: string): Promise<FileSigningKey> {
  const parsed = privateKeySchema.safeParse(await readJson(file));
  if (!parsed.success) {
    const missing = parsed.error.issues.map((issue) => issue.path.join('.') || 'the object').join(', ');
    throw new CommandError(
      `Invalid signing key ${file}: expected a private JSON Web Key with kty, alg, kid and d; ` +
        `missing or invalid: ${missing}.`,
    );
  }
  return { key: parsed.data, algorithm: parsed.data.alg, keyId: parsed.data.kid };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`Cannot read the signing key ${file}: ${whyUnreadable(error)}.`, {
      cause: error,
    });
  }
}
