import { type GuardedClient, isForbiddenUrlError, toConnectionError } from '@holdword/net/internal';
import { asObject, pause, shorten } from '@holdword/protocol/internal';
import { z } from 'zod';
import { CallError } from '../call-errors.ts';

/*
 * OAuth 2.1 without a browser of its own: client credentials, device codes (RFC 8628) and refresh tokens, with OpenID discovery.
 */

/** A token as the authorization server issued it. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** In milliseconds since 1970; undefined if the server did not say. */
  readonly expiresAt?: number | undefined;
  readonly scope?: string | undefined;
}

export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** What every request needs. */
export interface TokenContext {
  readonly client: GuardedClient;
  readonly oauthClient: OAuthClient;
  readonly signal: AbortSignal;
}

const TIMEOUT_MILLISECONDS = 30_000;
const MOST_ANSWER_BYTES = 256 * 1024;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628: the interval if the server names none, and what `slow_down` adds to it. */
const POLL_SECONDS = 5;

const tokenSchema = z.object({
  access_token: z.string().min(1),
  token_type: z
    .string()
    .refine((type) => type.toLowerCase() === 'bearer', { error: 'expected the type Bearer' })
    .optional(),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
  scope: z.string().optional(),
});

const deviceSchema = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.url(),
  verification_uri_complete: z.url().optional(),
  expires_in: z.coerce.number().positive().default(1_800),
  interval: z.coerce.number().positive().default(POLL_SECONDS),
});

const discoverySchema = z.object({
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url().optional(),
});

/** The addresses of a provider, from its published metadata. */
export async function discover(
  { client, signal }: Pick<TokenContext, 'client' | 'signal'>,
  url: string,
): Promise<{ tokenUrl: string; deviceUrl: string | undefined }> {
  const answer = await exchange(client, { url, method: 'GET', body: '', headers: {} }, signal);
  const parsed = discoverySchema.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) {
    throw refused(`The provider's metadata at ${shorten(url, 200)} cannot be used.`);
  }
  const { token_endpoint: tokenUrl, device_authorization_endpoint: deviceUrl } = parsed.data;
  return { tokenUrl, deviceUrl };
}

export async function logInAsClient(
  context: TokenContext,
  tokenUrl: string,
  scopes: readonly string[],
): Promise<IssuedToken> {
  return requestToken(context, tokenUrl, { grant_type: 'client_credentials', ...scopeField(scopes) });
}

export async function refreshToken(
  context: TokenContext,
  tokenUrl: string,
  token: string,
): Promise<IssuedToken> {
  const issued = await requestToken(context, tokenUrl, { grant_type: 'refresh_token', refresh_token: token });
  // A server that does not rotate refresh tokens sends none.
  return { ...issued, refreshToken: issued.refreshToken ?? token };
}

/** What the user has to do elsewhere. */
export interface DevicePrompt {
  readonly url: string;
  readonly code: string;
}

/** Shows the user a code, and waits until they have confirmed it in a browser on any device. */
export async function logInWithDevice(
  context: TokenContext,
  urls: { readonly deviceUrl: string; readonly tokenUrl: string },
  scopes: readonly string[],
  show: (prompt: DevicePrompt) => void,
): Promise<IssuedToken> {
  const { oauthClient, signal } = context;
  const answer = await post(context, urls.deviceUrl, { client_id: oauthClient.id, ...scopeField(scopes) });
  const parsed = deviceSchema.safeParse(answer.json);
  if (!parsed.success) throw failedAnswer('The authorization server gave no code', answer);
  const device = parsed.data;
  show({ url: device.verification_uri_complete ?? device.verification_uri, code: device.user_code });
  const end = Date.now() + device.expires_in * 1_000;
  let interval = device.interval;
  while (Date.now() < end) {
    await pause(interval * 1_000, signal);
    signal.throwIfAborted();
    const polled = await post(context, urls.tokenUrl, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: oauthClient.id,
    });
    const { error } = asObject(polled.json);
    if (error === 'authorization_pending') continue;
    if (error === 'slow_down') {
      interval += POLL_SECONDS;
      continue;
    }
    if (error === 'access_denied') throw refused('The login was denied.');
    if (error === 'expired_token') break;
    return readToken(polled);
  }
  throw refused('The code has expired before it was confirmed.');
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

async function requestToken(
  context: TokenContext,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<IssuedToken> {
  return readToken(await post(context, url, form));
}

function readToken(answer: Answer): IssuedToken {
  const parsed = tokenSchema.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) throw failedAnswer('No token was issued', answer);
  const { access_token: accessToken, refresh_token: renewal, expires_in: seconds, scope } = parsed.data;
  return {
    accessToken,
    refreshToken: renewal,
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1_000,
    scope,
  };
}

/** The secret goes into a header, as RFC 6749 prefers; a client without one names itself in the form. */
async function post(
  { client, oauthClient: { id, secret }, signal }: TokenContext,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Answer> {
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret ?? '')}`);
  const body = new URLSearchParams(secret === undefined ? { ...form, client_id: id } : form).toString();
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(secret !== undefined && { Authorization: `Basic ${basic.toString('base64')}` }),
  };
  return exchange(client, { url, method: 'POST', headers, body }, signal);
}

async function exchange(
  client: GuardedClient,
  request: { url: string; method: string; headers: Readonly<Record<string, string>>; body: string },
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const { status, body } = await client.send({
      ...request,
      headers: { Accept: 'application/json', ...request.headers },
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maxResponseBytes: MOST_ANSWER_BYTES,
      signal,
    });
    return { status, json: parseOrNothing(body) };
  } catch (error) {
    signal.throwIfAborted();
    throw isForbiddenUrlError(error) ? error : toConnectionError(error);
  }
}

function parseOrNothing(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function scopeField(scopes: readonly string[]): { scope?: string } {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') };
}

/** Never with the answer itself, which may have a token. */
function failedAnswer(what: string, { status, json }: Answer): CallError {
  const { error, error_description: description } = asObject(json);
  const reasons = [error, description].filter((each) => typeof each === 'string').join(': ');
  return refused(`${what}: ${reasons === '' ? `HTTP status ${status}` : shorten(reasons, 300)}.`);
}

function refused(message: string): CallError {
  return new CallError('A2ACLI_ERR_AUTH_FAILED', message, 'Try again with holdword auth login.');
}
