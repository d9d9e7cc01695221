import { readFile } from 'node:fs/promises';
import { expandVariables } from '@holdword/client/internal';
import { createGuardedClient, type GuardedClient } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';
import { asObject, errorCode } from '@holdword/protocol/internal';
import type { ConfiguredTarget, Secret, TargetAuth } from '../config.ts';
import type { PluginLogger } from '../plugin-api.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
/** Where secrets come from, and who is told about those that cannot be read. */
export interface SecretSources {
  readonly environment: Environment;
  readonly logger?: PluginLogger | undefined;
}
type Headers = Readonly<Record<string, string>>;
type OAuth = Extract<TargetAuth, { type: 'oauth2' }>;

/** How long a secret from a file or the environment is cached. */
const SECRET_MAX_AGE_MILLISECONDS = 30_000;
/** A token is renewed this long before it expires: requests take time, and clocks differ. */
const EXPIRY_MARGIN_MILLISECONDS = 30_000;
/** Lifetime of a token whose response has no `expires_in`. */
const DEFAULT_TOKEN_LIFETIME_MILLISECONDS = 300_000;
const TOKEN_TIMEOUT_MILLISECONDS = 15_000;
const MAX_TOKEN_RESPONSE_BYTES = 64 * 1024;

/**
 * The headers sent to a configured target: its service parameters and its credentials.
 *
 * Responsible for reading secrets when they are needed and again when they may have changed. Leaves to the caller which
 * origins receive the headers.
 */
export class TargetCredentials {
  readonly #target: ConfiguredTarget;
  readonly #sources: SecretSources;
  readonly #token: OAuthToken | undefined;
  #cached: { headers: Headers; until: number } | undefined;

  constructor(target: ConfiguredTarget, sources: SecretSources) {
    this.#target = target;
    this.#sources = sources;
    const { auth } = target;
    this.#token =
      auth?.type === 'oauth2'
        ? new OAuthToken(auth, () => this.#secret(auth.clientSecret, 'auth.clientSecret'))
        : undefined;
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
    return expandVariables(this.#target.serviceParameters, this.#sources.environment);
  }

  #secret(secret: Secret, field: string): Promise<string> {
    return readSecret(secret, `${field} of target "${this.#target.alias}"`, this.#sources);
  }

  async #secretHeader(auth: TargetAuth | undefined): Promise<Headers> {
    switch (auth?.type) {
      case 'bearer':
        return { Authorization: `Bearer ${await this.#secret(auth.token, 'auth.token')}` };
      case 'basic': {
        const password = await this.#secret(auth.password, 'auth.password');
        const credentials = Buffer.from(`${auth.username}:${password}`).toString('base64');
        return { Authorization: `Basic ${credentials}` };
      }
      case 'header':
        return { [auth.name]: await this.#secret(auth.value, 'auth.value') };
      case 'oauth2':
      case undefined:
      default:
        return {};
    }
  }
}

/**
 * An access token from the OAuth 2.0 client credentials grant (RFC 6749, section 4.4).
 *
 * Responsible for one token request at a time, shared by all waiting calls, and for a new one when the token is about to
 * expire or was rejected. A failed request is not cached.
 */
class OAuthToken {
  readonly #auth: OAuth;
  readonly #readSecret: () => Promise<string>;
  readonly #client: GuardedClient;
  #cached: { token: string; until: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(auth: OAuth, secret: () => Promise<string>) {
    this.#auth = auth;
    this.#readSecret = secret;
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
    const { tokenUrl, clientId, scope, audience } = this.#auth;
    const secret = await this.#readSecret();
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
        timeoutMilliseconds: TOKEN_TIMEOUT_MILLISECONDS,
        maxResponseBytes: MAX_TOKEN_RESPONSE_BYTES,
      })
      .catch((error: unknown) => {
        throw tokenError('could not be reached', error);
      });
    const { access_token: token, expires_in: seconds } = parse(answer.body);
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw tokenError(`returned HTTP status ${answer.status} without a token`);
    }
    const lifetime = typeof seconds === 'number' ? seconds * 1000 : DEFAULT_TOKEN_LIFETIME_MILLISECONDS;
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

/**
 * Reads a secret; `what` is its setting.
 *
 * @throws A2AError `UNAUTHENTICATED` that says what is missing, for a model: without the secret and without paths.
 */
async function readSecret(
  secret: Secret,
  what: string,
  { environment, logger }: SecretSources,
): Promise<string> {
  if (typeof secret === 'string')
    return expandVariables({ [what]: secret }, environment, 'setting')[what] ?? '';
  const { file } = secret;
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    logger?.warn(`${what}: ${file} could not be read (${errorCode(error) ?? String(error)}).`);
    throw new A2AError(
      'UNAUTHENTICATED',
      `The file in ${what} could not be read. Ask the user to check it; the log of the gateway has its path.`,
      { cause: error },
    );
  }
  if (text !== '' && !/[\r\n\0]/.test(text)) return text;
  const problem = text === '' ? 'is empty' : 'has more than one line';
  logger?.warn(`${what}: ${file} ${problem}; expected one line.`);
  throw new A2AError(
    'UNAUTHENTICATED',
    `The file in ${what} ${problem}; expected one line. Ask the user to correct it; the log of the gateway has its path.`,
  );
}
