import { createGuardedClient, type GuardedClient } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { TargetAuth } from '../config/config.ts';
import { readSecret, type Environment } from './read-secret.ts';

type OAuth = Extract<TargetAuth, { type: 'oauth2' }>;

/** A token is renewed this long before it expires: requests take time, and clocks differ. */
const EXPIRY_MARGIN_MILLISECONDS = 30_000;
/** Lifetime of a token whose response has no `expires_in`. */
const DEFAULT_LIFETIME_MILLISECONDS = 300_000;
const TIMEOUT_MILLISECONDS = 15_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * An access token from the OAuth 2.0 client credentials grant (RFC 6749, section 4.4).
 *
 * Responsible for one token request at a time, shared by all waiting calls, and for a new one when the token is about to
 * expire or was rejected. A failed request is not cached.
 */
export class OAuthToken {
  readonly #auth: OAuth;
  readonly #environment: Environment;
  readonly #client: GuardedClient;
  #cached: { token: string; until: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(auth: OAuth, environment: Environment) {
    this.#auth = auth;
    this.#environment = environment;
    // The URL comes from the user's configuration, so private addresses are allowed.
    this.#client = createGuardedClient({ trustedOrigins: [new URL(auth.tokenUrl).origin] });
  }

  async get(): Promise<string> {
    if (this.#cached !== undefined && Date.now() < this.#cached.until) return this.#cached.token;
    this.#pending ??= this.#request().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Call this when the agent has rejected the token. */
  invalidate(): void {
    this.#cached = undefined;
  }

  close(): void {
    this.#client.close();
  }

  async #request(): Promise<string> {
    const { tokenUrl, clientId, clientSecret, scope, audience } = this.#auth;
    const secret = await readSecret(clientSecret, 'client secret', this.#environment);
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
    const answer = await this.#client
      .send({
        url: tokenUrl,
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/x-www-form-urlencoded',
          Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          ...(scope !== undefined && { scope }),
          ...(audience !== undefined && { audience }),
        }).toString(),
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      })
      .catch((error: unknown) => {
        throw tokenError('could not be reached', error);
      });
    const { access_token: token, expires_in: seconds } = parse(answer.body);
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw tokenError(`returned HTTP status ${answer.status} without a token`);
    }
    const lifetime = typeof seconds === 'number' ? seconds * 1000 : DEFAULT_LIFETIME_MILLISECONDS;
    this.#cached = { token, until: Date.now() + Math.max(0, lifetime - EXPIRY_MARGIN_MILLISECONDS) };
    return token;
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function tokenError(what: string, cause?: unknown): A2AError {
  return new A2AError(
    'UNAUTHENTICATED',
    `The token endpoint of this target ${what}. Ask the user to check the auth settings of the target.`,
    { cause },
  );
}
