import { expandVariables } from '@holdword/client/internal';
import type { TargetAuth } from '../config/config.ts';
import type { ConfiguredTarget } from '../targets/target.ts';
import { OAuthToken } from './oauth-token.ts';
import { readSecret, type Environment } from './read-secret.ts';

type Headers = Readonly<Record<string, string>>;

/** How long a secret from a file or the environment is cached. */
const SECRET_MAX_AGE_MILLISECONDS = 30_000;

/**
 * The headers sent to a configured target: its service parameters and its credentials.
 *
 * Responsible for reading secrets when they are needed and again when they may have changed. Leaves to the caller which
 * origins receive the headers.
 */
export class TargetCredentials {
  readonly #target: ConfiguredTarget;
  readonly #environment: Environment;
  readonly #token: OAuthToken | undefined;
  #cached: { headers: Headers; until: number } | undefined;

  constructor(target: ConfiguredTarget, environment: Environment) {
    this.#target = target;
    this.#environment = environment;
    this.#token = target.auth?.type === 'oauth2' ? new OAuthToken(target.auth, environment) : undefined;
  }

  /** Whether there are no headers to send. */
  get isEmpty(): boolean {
    return this.#target.auth === undefined && Object.keys(this.#target.serviceParameters).length === 0;
  }

  /** The header that carries the credentials, in lower case; a request cannot override it. */
  get reservedHeader(): string | undefined {
    const { auth } = this.#target;
    if (auth === undefined) return undefined;
    return auth.type === 'header' ? auth.name.toLowerCase() : 'authorization';
  }

  async headers(): Promise<Headers> {
    if (this.#token !== undefined) {
      return { ...this.#parameters(), Authorization: `Bearer ${await this.#token.get()}` };
    }
    if (this.#cached === undefined || Date.now() >= this.#cached.until) {
      const headers = { ...this.#parameters(), ...(await this.#secretHeader(this.#target.auth)) };
      this.#cached = { headers, until: Date.now() + SECRET_MAX_AGE_MILLISECONDS };
    }
    return this.#cached.headers;
  }

  /** Call this when the agent has rejected the credentials. */
  invalidate(): void {
    this.#cached = undefined;
    this.#token?.invalidate();
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
