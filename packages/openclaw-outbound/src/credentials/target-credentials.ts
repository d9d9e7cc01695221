import { expandVariables } from '@holdword/client';
import type { TargetAuth } from '../config/config.ts';
import type { ConfiguredTarget } from '../targets/target.ts';
import { OAuthToken } from './oauth-token.ts';
import { readSecret, type Environment } from './read-secret.ts';

type Headers = Readonly<Record<string, string>>;

/** How long a secret from a file or the environment is used before it is read again. */
const SECRET_AGE = 30_000;

/**
 * The headers that a configured target is given: its service parameters and its credentials.
 *
 * Responsible for reading secrets when they are needed and again when they may have changed. Where the headers may go is
 * decided by whoever makes the calls.
 */
export class TargetCredentials {
  readonly #target: ConfiguredTarget;
  readonly #environment: Environment;
  readonly #token: OAuthToken | undefined;
  #kept: { headers: Headers; until: number } | undefined;

  constructor(target: ConfiguredTarget, environment: Environment) {
    this.#target = target;
    this.#environment = environment;
    this.#token = target.auth?.type === 'oauth2' ? new OAuthToken(target.auth, environment) : undefined;
  }

  /** Whether there are any headers. */
  get isEmpty(): boolean {
    return this.#target.auth === undefined && Object.keys(this.#target.serviceParameters).length === 0;
  }

  /** The header that belongs to the credentials, in lower case: no call brings another one. */
  get reservedHeader(): string | undefined {
    const { auth } = this.#target;
    if (auth === undefined) return undefined;
    return auth.type === 'header' ? auth.name.toLowerCase() : 'authorization';
  }

  async headers(): Promise<Headers> {
    if (this.#token !== undefined) {
      return { ...this.#parameters(), Authorization: `Bearer ${await this.#token.get()}` };
    }
    if (this.#kept === undefined || Date.now() >= this.#kept.until) {
      const headers = { ...this.#parameters(), ...(await this.#secretHeader(this.#target.auth)) };
      this.#kept = { headers, until: Date.now() + SECRET_AGE };
    }
    return this.#kept.headers;
  }

  /** The agent did not accept them. */
  forget(): void {
    this.#kept = undefined;
    this.#token?.forget();
  }

  close(): void {
    this.#token?.close();
  }

  #parameters(): Headers {
    return expandVariables(this.#target.serviceParameters, this.#environment);
  }

  async #secretHeader(auth: TargetAuth | undefined): Promise<Headers> {
    switch (auth?.type) {
      case 'bearer':
        return { Authorization: `Bearer ${await readSecret(auth.token, 'token', this.#environment)}` };
      case 'basic': {
        const password = await readSecret(auth.password, 'password', this.#environment);
        const credentials = Buffer.from(`${auth.username}:${password}`).toString('base64');
        return { Authorization: `Basic ${credentials}` };
      }
      case 'header':
        return { [auth.name]: await readSecret(auth.value, 'header value', this.#environment) };
      case 'oauth2':
      case undefined:
      default:
        return {};
    }
  }
}
