import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const ALGORITHM = 'ES256';

/** Issues signed tokens (JWT) for callers. */
export interface TokenIssuer {
  readonly name: string;
  readonly audience: string;
  /** Its public keys. */
  readonly jwksFile: string;
  /** A token for this subject. */
  readonly sign: (subject: string) => Promise<string>;
  /** A forged token, signed with a different key. */
  readonly forge: (subject: string) => Promise<string>;
}

/** One issuer for all tests of a file. */
export function useTokenIssuer(): () => TokenIssuer {
  let folder: TemporaryFolder | undefined;
  let issuer: TokenIssuer | undefined;
  beforeAll(async () => {
    folder = await temporaryFolder();
    issuer = await createIssuer(folder);
  });
  afterAll(() => folder?.remove());
  return () => {
    if (issuer === undefined) throw new Error('The issuer only exists during tests.');
    return issuer;
  };
}

async function createIssuer(folder: TemporaryFolder): Promise<TokenIssuer> {
  const [own, other] = await Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)]);
  const jwksFile = join(folder.path, 'jwks.json');
  await writeFile(
    jwksFile,
    JSON.stringify({ keys: [{ ...(await exportJWK(own.publicKey)), alg: ALGORITHM }] }),
  );
  const name = 'https://id.example.com';
  const audience = 'a2a';
  const signWith =
    (key: Parameters<SignJWT['sign']>[0]) =>
    (subject: string): Promise<string> =>
      new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(name)
        .setAudience(audience)
        .setSubject(subject)
        .setExpirationTime('1h')
        .sign(key);
  return { name, audience, jwksFile, sign: signWith(own.privateKey), forge: signWith(other.privateKey) };
}
