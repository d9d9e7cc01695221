import { isLoopback } from '@holdword/net/internal';
import {
  anyOf,
  apiKeyAuthentication,
  jwtAuthentication,
  noAuthentication,
  type Authentication,
  type Log,
} from '@holdword/runtime';
import { assertSafeBind, haveKeysExisted, noopLog } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';
import {
  commandOnStore,
  holdsData,
  openStoreForCommand,
  type PersistentLocation,
  storeLocation,
  withLocationInErrors,
} from './open-store.ts';

/** How callers authenticate: as configured, and with API keys once there was one. */
export async function chooseAuthentication(
  config: Pick<Config, 'authentication' | 'publicUrl'>,
  store: Store,
  log: Log,
): Promise<Authentication> {
  const { apiKeys, jwt } = config.authentication;
  const methods: Authentication[] = [];
  if (apiKeys ?? (await haveKeysExisted(store))) methods.push(apiKeyAuthentication(store));
  if (jwt !== undefined) {
    warnOfPlainHttp(jwt, log);
    methods.push(await openJwt(jwt, log));
  }
  if (methods.length > 0) return anyOf(methods);
  const publicHost = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname];
  return noAuthentication({ allowedHosts: publicHost });
}

type JwtConfig = NonNullable<Config['authentication']['jwt']>;

async function openJwt(config: JwtConfig, log: Log): Promise<Authentication> {
  const { issuer, audience, tenantClaim, jwksUrl, jwksFile } = config;
  const jwks = jwksFile === undefined ? { url: jwksUrl ?? '' } : { file: jwksFile };
  try {
    return await jwtAuthentication({
      issuer,
      audience,
      jwks,
      log,
      ...(tenantClaim !== undefined && { tenantClaim }),
    });
  } catch (error) {
    const isInvalid = error instanceof Error && error.name === 'JWKSInvalid';
    const why = isInvalid ? 'it is not a JSON Web Key Set' : whyUnreadable(error);
    throw new UsageError(
      `Cannot read the JSON Web Key Set ${jwksFile} (authentication.jwt.jwksFile): ${why}.`,
      { cause: error },
    );
  }
}

/** Rejects a key set that a server could not read. What is fetched from a URL is not checked. */
export async function checkKeySet({
  authentication: { jwt },
}: Pick<Config, 'authentication'>): Promise<void> {
  if (jwt?.jwksFile !== undefined) await openJwt(jwt, noopLog);
}

/** Whoever can change what is sent over plain HTTP can choose the keys, and with them create tokens. */
function warnOfPlainHttp({ jwksUrl }: JwtConfig, log: Log): void {
  if (jwksUrl === undefined) return;
  const { protocol, hostname } = new URL(jwksUrl);
  if (protocol !== 'http:' || isLoopback(hostname)) return;
  log.warn(
    'The keys of the token issuer are fetched over plain HTTP: anyone who can change that traffic can create tokens. ' +
      'Use https in authentication.jwt.jwksUrl.',
    { host: hostname },
  );
}

/**
 * Rejects a host that a server would refuse to listen on without authentication. Returns what cannot be known without the
 * database, which is not opened: a server may need it, and opening it may change it.
 */
export async function checkBind(config: Config, addKey: string): Promise<string | undefined> {
  const { authentication, host } = config;
  if (isLoopback(host) || authentication.apiKeys === true || authentication.jwt !== undefined)
    return undefined;
  const location = storeLocation(config);
  const mayHaveKeys = authentication.apiKeys === undefined && location.kind !== 'memory';
  if (mayHaveKeys && location.kind === 'postgres') {
    return `A server listens on ${host} only if there is an API key in the database. To create one, run: ${addKey}`;
  }
  if (mayHaveKeys && (await hasKeys(location))) return undefined;
  await assertSafeBind(host, noAuthentication(), addKeyAdvice(config, addKey)).catch((error: unknown) => {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  });
  return undefined;
}

async function hasKeys(location: PersistentLocation): Promise<boolean> {
  if (!(await withLocationInErrors(location, () => holdsData(location)))) return false;
  const store = await openStoreForCommand(location);
  try {
    return await haveKeysExisted(store);
  } finally {
    await store.close();
  }
}

/** How to require authentication on a server with this configuration, as the end of a sentence. */
export function addKeyAdvice(config: Config, command: string): string {
  if (config.authentication.apiKeys === false) {
    return 'enable API keys: the configuration sets "apiKeys" to false.';
  }
  if (config.store === 'memory') {
    return 'create an API key in a persistent store: --store memory does not keep keys.';
  }
  return `create an API key and restart: ${command}`;
}

/** The command that creates a key where the server looks for it. */
export function addKeyCommand(config: Config, defaults: Config): string {
  return commandOnStore(['keys', 'add', 'NAME'], config, defaults);
}
