import { readFile } from 'node:fs/promises';
import { A2AError, isA2AError } from '@holdword/protocol';
import { checkArgument, withTimeout } from '@holdword/protocol/internal';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { noopLog, OutageLog, type Log } from '../../log.ts';
import { bearerToken, refusedCredential, type Authentication, type Caller } from './authentication.ts';

/** Only asymmetric algorithms: with a shared secret, everyone who can verify a token can also create one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const CLOCK_TOLERANCE_SECONDS = 5;
/** How often keys that could not be fetched are fetched again for `/readyz`. */
const RETRY_MILLISECONDS = 5_000;
/** How long `/readyz` waits for keys that are being fetched. */
const PATIENCE_MILLISECONDS = 1_000;
const RETRY_AFTER_SECONDS = 5;
const PROBLEM = 'The keys of the token issuer could not be fetched.';

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Which tokens are valid. */
export interface JwtOptions {
  /** The required `iss` claim of tokens. */
  issuer: string;
  /** The required `aud` claim of tokens. */
  audience: string;
  /** The issuer's public keys: a URL, or a file with a JSON Web Key Set. */
  jwks: { url: string } | { file: string };
  /** The claim that names the caller's tenant. If set, a token without that claim is rejected. */
  tenantClaim?: string;
  /** Is told when the issuer's keys cannot be fetched, and when they can be again. */
  log?: Log;
}

const optionsSchema = z.looseObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwks: z.union([z.object({ url: z.url() }), z.object({ file: z.string().min(1) })], {
    error: 'expected { url } or { file }',
  }),
});

/**
 * Authenticates callers by bearer tokens that an identity provider signed. The caller's id is `jwt:` and the `sub`
 * claim.
 *
 * @example
 * ```ts
 * const authentication = await jwtAuthentication({
 *   issuer: 'https://id.example.org/',
 *   audience: 'my-agent',
 *   jwks: { url: 'https://id.example.org/.well-known/jwks.json' },
 * });
 * ```
 * @throws TypeError if an option is not what it should be.
 */
export async function jwtAuthentication(options: JwtOptions): Promise<Authentication> {
  checkArgument('jwtAuthentication({ issuer, audience, jwks })', optionsSchema, options);
  const { jwks, log = noopLog } = options;
  const keys = await openKeys(jwks);
  const outage = new OutageLog(log, {
    beginning: 'The keys of the token issuer could not be fetched. Requests with a token get 503.',
    end: 'The keys of the token issuer can be fetched again.',
  });
  const source = { issuer: options.issuer, keys: sourceOf(jwks) };
  const check = 'reload' in keys ? new KeysCheck(keys, outage, source) : undefined;
  return {
    async authenticate(headers) {
      const token = bearerToken(headers);
      if (token === undefined) return undefined;
      try {
        const caller = await callerOf(token, keys, options);
        outage.succeeded();
        return caller;
      } catch (error) {
        if (isA2AError(error) && error.code === 'UNAVAILABLE') {
          outage.failed(error.cause, source);
        }
        throw error;
      }
    },
    async problem() {
      const isChecked = (await check?.now()) ?? true;
      return isChecked && !outage.isFailing ? undefined : PROBLEM;
    },
    securitySchemes: {
      jwt: {
        httpAuthSecurityScheme: {
          description: `A token issued by ${options.issuer} for ${options.audience}.`,
          scheme: 'Bearer',
          bearerFormat: 'JWT',
        },
      },
    },
    challenge: 'Bearer',
  };
}

/**
 * Fetches the keys without a request that needs them: a server that is not ready gets none, and one that has just started must
 * not wait for the first caller to find out.
 *
 * Responsible for one fetch at a time, and only when the keys are missing, too old to be used or known to be unreachable: as
 * long as callers can be authenticated, it does not matter whether the issuer is there.
 */
class KeysCheck {
  readonly #keys: RemoteKeys;
  readonly #outage: OutageLog;
  readonly #source: Record<string, unknown>;
  #nextCheck = -Infinity;
  #checking: Promise<void> | undefined;
  #isChecked = false;

  constructor(keys: RemoteKeys, outage: OutageLog, source: Record<string, unknown>) {
    this.#keys = keys;
    this.#outage = outage;
    this.#source = source;
    // In the background: a server starts also while its issuer is away.
    this.#begin();
  }

  /** Checks if there is a reason to. Resolves with false while nothing is known yet. */
  async now(): Promise<boolean> {
    const isNeeded = !this.#keys.fresh || this.#outage.isFailing;
    if (isNeeded && performance.now() >= this.#nextCheck) this.#begin();
    // A probe gets its answer in time, also while the issuer does not respond.
    if (this.#checking !== undefined)
      await withTimeout(this.#checking, PATIENCE_MILLISECONDS).catch(() => {});
    return this.#isChecked;
  }

  #begin(): void {
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
  }

  async #check(): Promise<void> {
    try {
      await this.#keys.reload();
      this.#outage.succeeded();
    } catch (error) {
      this.#outage.failed(error, this.#source);
    }
    this.#isChecked = true;
    this.#nextCheck = performance.now() + RETRY_MILLISECONDS;
  }
}

async function openKeys(jwks: JwtOptions['jwks']): Promise<JWTVerifyGetKey | RemoteKeys> {
  if ('url' in jwks) {
    return createRemoteJWKSet(new URL(jwks.url), {
      timeoutDuration: 5_000,
      cooldownDuration: 30_000,
      cacheMaxAge: 600_000,
    });
  }
  return createLocalJWKSet(JSON.parse(await readFile(jwks.file, 'utf8')) as JSONWebKeySet);
}

async function callerOf(token: string, keys: JWTVerifyGetKey, options: JwtOptions): Promise<Caller> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: options.issuer,
    audience: options.audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }).catch((error: unknown) => {
    throw asA2AError(error);
  });
  const { sub: subject } = payload as Record<string, unknown>;
  // Anything else would be written as a text, and another subject can have that text.
  if (typeof subject !== 'string' || subject.trim() === '') throw unexpectedClaim('sub');
  const goodUntil = ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000;
  const caller = {
    id: `jwt:${subject}`,
    authenticated: true,
    isStillGood: async () => Date.now() < goodUntil,
  };
  if (options.tenantClaim === undefined) return caller;
  const tenant = payload[options.tenantClaim];
  if (typeof tenant !== 'string' || tenant === '') {
    throw refusedCredential(
      `The token has no claim "${options.tenantClaim}" with the caller's tenant. Ask the identity provider to add it.`,
      `token without the claim "${options.tenantClaim}" (authentication.jwt.tenantClaim)`,
    );
  }
  return { ...caller, tenant };
}

function asA2AError(error: unknown): A2AError {
  if (error instanceof errors.JWTExpired) {
    return refusedCredential(
      'The token has expired. Get a new one and try again.',
      'token that has expired',
      error,
    );
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return unexpectedClaim(error.claim, error);
  }
  if (isFetchFailure(error)) {
    return new A2AError(
      'UNAVAILABLE',
      'The keys of the token issuer cannot be fetched at the moment. Retry later.',
      { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
  return refusedCredential(
    'The token is not a valid signed JWT of the expected issuer.',
    whyInvalid(error),
    error,
  );
}

function whyInvalid(error: unknown): string {
  if (error instanceof errors.JWKSNoMatchingKey) return 'token whose key is not in the key set of the issuer';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'token with a wrong signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'token signed with an algorithm that is not accepted';
  return 'bearer token that is not a signed JWT';
}

function unexpectedClaim(claim: string, cause?: unknown): A2AError {
  if (claim === 'nbf') {
    const message =
      'The token is not valid yet. Wait, or compare the clocks of the issuer and of this server.';
    return refusedCredential(message, 'token that is not valid yet (nbf)', cause);
  }
  return refusedCredential(
    `The claim "${claim}" of the token is missing or has an unexpected value. Ask the identity provider for a token for this agent.`,
    `token whose claim "${claim}" is missing or has an unexpected value`,
    cause,
  );
}

/** Without the query, which may contain a secret. */
function sourceOf(jwks: JwtOptions['jwks']): string {
  if ('file' in jwks) return jwks.file;
  const { origin, pathname } = new URL(jwks.url);
  return `${origin}${pathname}`;
}

/** Every error that is not about the token itself. */
function isFetchFailure(error: unknown): boolean {
  return (
    !(error instanceof errors.JOSEError) ||
    error instanceof errors.JWKSTimeout ||
    error.code === errors.JOSEError.code
  );
}
