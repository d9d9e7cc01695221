import { lookup } from 'node:dns/promises';
import { isLoopback } from '@holdword/net/internal';
import { A2AError, type SecurityScheme } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import { RefusalReason } from '../../observe/observer.ts';

/** HTTP header fields or gRPC metadata, by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a caller may do: `operator` also manages the agents of a hub, including those of other callers. */
export type CallerRole = 'caller' | 'operator';

/** The caller that a credential identifies. */
export interface Caller {
  /** Unique across all authentication methods: `key:NAME`, `jwt:SUBJECT` or `anonymous`. */
  readonly id: string;
  /** False for anonymous callers. */
  readonly authenticated: boolean;
  /** @default 'caller' */
  readonly role?: CallerRole;
  /** The only tenant that this caller may name. Any tenant if absent. */
  readonly tenant?: string;
  /** Requests per minute of this caller, instead of the server's limit for authenticated callers. */
  readonly requestsPerMinute?: number;
  /**
   * Whether the credential is still as valid as when it was checked; for streams. Rejects if that is currently unknown.
   * Absent if the credential cannot expire or be revoked while the server runs.
   */
  readonly isStillGood?: () => Promise<boolean>;
}

/**
 * An authentication method. Implement it to check credentials of your own.
 *
 * @example
 * ```ts
 * const bySharedSecret: Authentication = {
 *   async authenticate(headers) {
 *     const token = bearerToken(headers);
 *     if (token === undefined) return undefined;
 *     if (token !== process.env['AGENT_SECRET']) throw unauthenticated('The token is wrong.');
 *     return { id: 'secret:shared', authenticated: true };
 *   },
 *   securitySchemes: { secret: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
 *   challenge: 'Bearer',
 * };
 * ```
 */
export interface Authentication {
  /**
   * The caller of a valid credential, or undefined if there is no credential of this kind.
   * @throws A2AError UNAUTHENTICATED if there is one and it is wrong
   */
  authenticate(headers: RequestHeaders): Promise<Caller | undefined>;
  /** The security schemes for the card, by name; any one of them is enough. Empty if no credential is needed. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** Callers without a credential are also admitted: the card describes the schemes and requires none. */
  readonly isOptional?: boolean;
  /** The value of `WWW-Authenticate` for a caller without a valid credential. */
  readonly challenge: string;
  /**
   * Why no credential can be checked at the moment, for `/readyz`. Resolves with undefined if credentials can be checked.
   * @default always undefined
   */
  problem?(): Promise<string | undefined>;
}

/**
 * Returns the value of a header; several values are joined as in HTTP.
 *
 * @example
 * ```ts
 * headerValue({ 'x-api-key': 'secret' }, 'x-api-key'); // 'secret'
 * ```
 */
export function headerValue(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/**
 * Returns the token of `Authorization: Bearer TOKEN`.
 *
 * @example
 * ```ts
 * bearerToken({ authorization: 'Bearer secret' }); // 'secret'
 * ```
 */
export function bearerToken(headers: RequestHeaders): string | undefined {
  const value = headerValue(headers, 'authorization');
  return value === undefined ? undefined : /^bearer +(\S+) *$/i.exec(value)?.[1];
}

/**
 * Creates the error for a credential that is wrong: an A2AError with the code UNAUTHENTICATED.
 *
 * @example
 * ```ts
 * throw unauthenticated('The token has expired. Get a new one and try again.');
 * ```
 */
export function unauthenticated(message: string, cause?: unknown): A2AError {
  return new A2AError('UNAUTHENTICATED', message, cause === undefined ? {} : { cause });
}

/** The same, with the reason for the operator: what the caller is told must not help to guess. */
export function refusedCredential(message: string, reason: string, cause?: unknown): A2AError {
  return unauthenticated(message, new RefusalReason(reason, { cause }));
}

/**
 * The caller.
 * @throws A2AError UNAUTHENTICATED if no authentication method recognizes a credential in the request
 */
export async function requireCaller(
  authentication: Authentication,
  headers: RequestHeaders,
): Promise<Caller> {
  const caller = await authentication.authenticate(headers);
  if (caller === undefined) {
    const found = describeCredential(headers);
    throw refusedCredential(
      `Authentication required: found ${found}. ` + howToAuthenticate(authentication.securitySchemes),
      found === 'none' ? 'no credential' : `unsupported credential: ${found}`,
    );
  }
  return caller;
}

/** Says which headers are accepted. Schemes that do not name theirs are described on the card. */
function howToAuthenticate(schemes: Authentication['securitySchemes']): string {
  const headers = Object.values(schemes).map(headerOf);
  const named = headers.filter((header) => header !== undefined).toReversed();
  if (named.length === 0) {
    return `Send one of: ${Object.keys(schemes).join(', ')} (the agent card describes them under securitySchemes).`;
  }
  const others =
    named.length < headers.length ? ', or what the agent card describes under securitySchemes' : '';
  return `Send the header ${[...new Set(named)].join(' or ')}${others}.`;
}

function headerOf(scheme: SecurityScheme): string | undefined {
  if ('httpAuthSecurityScheme' in scheme) {
    const { scheme: name, bearerFormat } = scheme.httpAuthSecurityScheme;
    return `"Authorization: ${name} ${bearerFormat === undefined ? 'KEY' : 'TOKEN'}"`;
  }
  const isHeader = 'apiKeySecurityScheme' in scheme && scheme.apiKeySecurityScheme.location === 'header';
  return isHeader ? `"${scheme.apiKeySecurityScheme.name}: KEY"` : undefined;
}

/** Schemes that may be repeated: any other first word of the header may be the secret itself. */
const SCHEME = /^(basic|bearer|digest|dpop|negotiate)(?= |$)/i;

/** What was sent instead of a credential, without any of its secret. */
function describeCredential(headers: RequestHeaders): string {
  const authorization = headerValue(headers, 'authorization');
  if (authorization !== undefined) {
    const scheme = SCHEME.exec(authorization)?.[1];
    return scheme === undefined
      ? 'an Authorization header with another scheme'
      : `an Authorization header (${scheme}) that this agent does not recognize`;
  }
  return headerValue(headers, 'x-api-key') === undefined
    ? 'none'
    : 'an X-API-Key header that this agent does not recognize';
}

/**
 * Combines several authentication methods: the first that finds a credential of its kind decides.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const tokens = await jwtAuthentication({
 *   issuer: 'https://id.example.org/',
 *   audience: 'my-agent',
 *   jwks: { url: 'https://id.example.org/.well-known/jwks.json' },
 * });
 * const authentication = anyOf([apiKeyAuthentication(store), tokens]);
 * ```
 */
export function anyOf(methods: readonly Authentication[]): Authentication {
  return {
    async authenticate(headers) {
      for (const method of methods) {
        const caller = await method.authenticate(headers);
        if (caller !== undefined) return caller;
      }
      return undefined;
    },
    securitySchemes: Object.assign({}, ...methods.map((method) => method.securitySchemes)),
    challenge: [...new Set(methods.map((method) => method.challenge))].join(', '),
    ...(methods.some((method) => method.problem !== undefined) && {
      async problem() {
        const problems = await Promise.all(methods.map(async (method) => method.problem?.()));
        // One method that works is enough for its callers.
        return problems.includes(undefined) ? undefined : problems.join(' ');
      },
    }),
  };
}

const ANONYMOUS: Caller = { id: 'anonymous', authenticated: false };

/**
 * Treats everyone who reaches this machine's loopback interface as the same anonymous caller.
 *
 * A web page in a local browser can reach it as well, through a domain name that resolves to 127.0.0.1 (DNS rebinding).
 * Such a request has that name in its `Host` header, so only loopback names and `allowedHosts` are accepted there.
 *
 * @example
 * ```ts
 * const authentication = noAuthentication({ allowedHosts: ['agent.internal'] });
 * ```
 */
export function noAuthentication(options: { allowedHosts?: readonly string[] } = {}): Authentication {
  const allowedHosts = new Set(options.allowedHosts);
  // Callers use the same name repeatedly.
  let lastAllowed: string | undefined;
  const isAllowed = (host: RequestHeaders['host']): boolean => {
    if (host === undefined || host === lastAllowed) return true;
    if (typeof host !== 'string' || !hostIsAllowed(host, allowedHosts)) return false;
    lastAllowed = host;
    return true;
  };
  return {
    authenticate(headers) {
      return isAllowed(headers['host'])
        ? Promise.resolve(ANONYMOUS)
        : Promise.reject(hostNotAllowed(headers['host'], allowedHosts));
    },
    securitySchemes: {},
    challenge: 'Bearer',
  };
}

function hostNotAllowed(host: RequestHeaders['host'], allowedHosts: ReadonlySet<string>): A2AError {
  const names = [...new Set([...allowedHosts, '127.0.0.1', 'localhost'])].join(', ');
  const advice =
    allowedHosts.size === 0
      ? 'Use one of these, or configure its public URL.'
      : 'Use one of these, or ask the operator of this agent to correct its public URL.';
  return new A2AError(
    'PERMISSION_DENIED',
    `Host "${shorten(String(host), 100)}" is not allowed. Without authentication, this agent accepts only the host ` +
      `names ${names}. ${advice}`,
    { cause: new RefusalReason('the Host header names a host that is not allowed') },
  );
}

function hostIsAllowed(host: string, allowedHosts: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || allowedHosts.has(name);
}

/**
 * Refuses to expose an agent to a network without authentication. `advice` completes the sentence that says what to do.
 * A host that does not exist is reported as such: adding authentication would not help.
 */
export async function assertSafeBind(
  host: string,
  authentication: Authentication,
  advice = 'serve it with authentication.',
): Promise<void> {
  if (isLoopback(host) || Object.keys(authentication.securitySchemes).length > 0) return;
  await lookup(host).catch((error: unknown) => {
    throw new Error(`Cannot listen on ${host}: the host name cannot be resolved. Choose a different host.`, {
      cause: error,
    });
  });
  throw new Error(
    `Refusing to listen on ${host} without authentication: everyone on that network could use this agent. ` +
      `Listen on 127.0.0.1, or ${advice}`,
  );
}
