import { createGuardedClient, type GuardedClient } from '@holdword/net';
import { A2AError, asObject } from '@holdword/protocol';
import type { TargetAuth } from '../config/config.ts';
import { readSecret, type Environment } from './read-secret.ts';

type OAuth = Extract<TargetAuth, { type: 'oauth2' }>;

/** A token is not used so shortly before its end: the call takes time, and clocks differ. */
const MARGIN = 30_000;
/** How long a token is used whose end is not told. */
const USUAL_AGE = 300_000;
const TIMEOUT = 15_000;
const MOST_BYTES = 64 * 1024;

/**
 * An access token by OAuth 2.0 client credentials (RFC 6749, section 4.4).
 *
 * Responsible for asking once for all who wait, and anew when the token is about to end or was refused. A request that
 * fails is not remembered.
 */
export class OAuthToken {
  readonly #auth: OAuth;
  readonly #environment: Environment;
  readonly #client: GuardedClient;
  #kept: { token: string; until: number } | undefined;
  #asking: Promise<string> | undefined;

  constructor(auth: OAuth, environment: Environment) {
    this.#auth = auth;
    this.#environment = environment;
    // The user has typed the address, so it may be anywhere.
    this.#client = createGuardedClient({ trustedOrigins: [new URL(auth.tokenUrl).origin] });
  }

  async get(): Promise<string> {
    if (this.#kept !== undefined && Date.now() < this.#kept.until) return this.#kept.token;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** It was refused. */
  forget(): void {
    this.#kept = undefined;
  }

  close(): void {
    this.#client.close();
  }

  async #ask(): Promise<string> {
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
        timeoutMilliseconds: TIMEOUT,
        maxResponseBytes: MOST_BYTES,
      })
      .catch((error: unknown) => {
        throw refused('cannot be reached', error);
      });
    const { access_token: token, expires_in: seconds } = parse(answer.body);
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw refused(`answered with HTTP status ${answer.status} and no token`);
    }
    const age = typeof seconds === 'number' ? seconds * 1000 : USUAL_AGE;
    this.#kept = { token, until: Date.now() + Math.max(0, age - MARGIN) };
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

function refused(what: string, cause?: unknown): A2AError {
  return new A2AError(
    'UNAUTHENTICATED',
    `The token endpoint of this target ${what}. Tell the user to check its auth settings.`,
    { cause },
  );
}
