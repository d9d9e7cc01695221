import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Deadline, unlessAborted, withTimeout } from '@holdword/protocol/internal';
import { type AllowList, parseAllowList } from './allow-list.ts';
import { toConnectionError } from './connection-error.ts';
import { checkUrl, ForbiddenUrlError, isForbiddenUrlError } from './forbidden-urls.ts';
import { type OpenedResponse, openResponse, readAtMost } from './open-response.ts';
import { type HostAddress, resolveChecked, type ResolveHost, resolveWithSystem } from './resolve-host.ts';
import { TrustedOrigins } from './trusted-origins.ts';

/** What a guarded client may call. */
export interface GuardedClientOptions {
  /** CIDR ranges, addresses and host names that may be called although they are private. Opens no link-local or metadata address. */
  allow?: readonly string[];
  /** Origins configured by the operator, such as `http://127.0.0.1:4310`: called without further checks, except that it is no metadata service. */
  trustedOrigins?: readonly string[];
  /**
   * The owners of trusted names are not trusted: such a name is not followed from the public internet to a private address. Other
   * origins with the same name may be called wherever the trusted one has answered, also if that is a private address.
   *
   * @default false
   */
  guardsTrustedNames?: boolean;
  /**
   * Resolves host names.
   *
   * @default the system's resolver
   */
  resolve?: ResolveHost;
  /**
   * How TLS is set up, if not as usual.
   *
   * @default the authorities that Node trusts, and no client certificate
   */
  tls?: TlsSettings | undefined;
}

/** TLS as the user wants it. */
export interface TlsSettings {
  /** Whether the certificate of the server is verified. */
  readonly rejectUnauthorized?: boolean | undefined;
  /** The authorities to trust instead of Node's, in PEM, like the next ones. */
  readonly ca?: string | undefined;
  /** The certificate with which this side authenticates. */
  readonly cert?: string | undefined;
  /** The private key of that certificate. */
  readonly key?: string | undefined;
}

export interface GuardedRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Covers everything: resolving, connecting, sending and the response. */
  timeoutMilliseconds: number;
  /** The rest of a longer response is not read. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export interface GuardedOpenRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Covers everything until the headers of the response have arrived. */
  timeoutMilliseconds: number;
  /** Aborting it also ends reading the body. */
  signal?: AbortSignal;
  /**
   * The request is idempotent. It then uses a kept-alive connection and is resent if that turns out to be closed; otherwise it
   * gets a new connection.
   *
   * @default false
   */
  repeatable?: boolean;
}

/**
 * Calls untrusted URLs.
 *
 * Responsible for never connecting to an address that is neither public nor allowed: the URL is checked, its name resolved,
 * every address checked, and the connection pinned to those addresses, whatever the name resolves to a moment later. A reused
 * connection was checked when it was established. Redirects are returned, not followed.
 * Leaves to the caller what a response means, and when to retry.
 */
export interface GuardedClient {
  /** Resolves if the URL may be called as far as is known now; rejects with ForbiddenUrlError. */
  check(url: string): Promise<void>;
  /** The addresses for a connection to the URL, for callers that connect themselves; rejects like `send`. */
  addressesOf(url: string, signal?: AbortSignal): Promise<HostAddress[]>;
  /** Sends a request and reads the response. Rejects with ForbiddenUrlError or the error of the connection. */
  send(request: GuardedRequest): Promise<GuardedResponse>;
  /**
   * Sends a request and returns the response while its body still arrives. Rejects with ForbiddenUrlError, ConnectionError or
   * the signal's reason.
   */
  open(request: GuardedOpenRequest): Promise<OpenedResponse>;
  /** For callers that connect themselves. */
  readonly tls?: TlsSettings | undefined;
  close(): void;
}

const CHECK_MILLISECONDS = 2_000;

export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const allowList = parseAllowList(options.allow ?? []);
  const resolve = options.resolve ?? resolveWithSystem;
  const { guardsTrustedNames = false, tls } = options;
  const origins = new TrustedOrigins(options.trustedOrigins ?? []);
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  async function admit(url: string, signal: AbortSignal): Promise<AdmittedUrl> {
    const trusted = origins.match(url);
    const known = trusted === undefined ? origins.allowListFor(url, allowList) : ALLOW_ALL;
    const checked = trusted ?? checkUrl(url, known);
    const addresses = await unlessAborted(resolveChecked(checked, known, resolve), signal);
    if (trusted !== undefined && guardsTrustedNames) origins.checkMove(trusted, addresses, allowList);
    const plain = checked.url.protocol === 'http:';
    return {
      addresses,
      noteAnswer: (address) => {
        if (trusted !== undefined && guardsTrustedNames) origins.note(trusted, address);
      },
      open: plain ? requestHttp : requestHttps,
      target: {
        hostname: checked.host,
        port: checked.url.port,
        path: `${checked.url.pathname}${checked.url.search}`,
        lookup: pinnedTo(addresses),
        agent: plain ? agents.http : agents.https,
        ...(plain ? {} : tls),
      },
    };
  }

  return {
    tls,
    check: (url) => checkReachable(url, allowList, resolve),
    addressesOf: async (url, signal = new AbortController().signal) => (await admit(url, signal)).addresses,
    async send(request) {
      using deadline = new Deadline(request.timeoutMilliseconds);
      const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
      const { open, target } = await admit(request.url, signal);
      const connect: RequestOptions = {
        ...target,
        method: request.method,
        headers: { ...request.headers, 'Content-Length': Buffer.byteLength(request.body) },
        signal,
      };
      return await exchange(open, connect, request);
    },
    async open(request) {
      using deadline = new Deadline(request.timeoutMilliseconds);
      const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
      try {
        const { open, target, noteAnswer } = await admit(request.url, signal);
        const { agent, ...newConnection } = target;
        const connection =
          request.repeatable === true ? { ...newConnection, agent } : { ...newConnection, agent: false };
        const response = await openResponse(open, { ...connection, signal }, request);
        if (response.address !== undefined) noteAnswer(response.address);
        return response;
      } catch (error) {
        request.signal?.throwIfAborted();
        throw isForbiddenUrlError(error) ? error : toConnectionError(error);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface AdmittedUrl {
  addresses: HostAddress[];
  /** To be called with the address that has answered. */
  readonly noteAnswer: (address: string) => void;
  open: typeof requestHttp;
  target: RequestOptions;
}

const ALLOW_ALL: AllowList = { hasAddresses: true, allowsHost: () => true, allowsAddress: () => true };

/** A name that does not resolve now may do so later; only a name that must be on the allow list has to resolve. */
async function checkReachable(url: string, allowList: AllowList, resolve: ResolveHost): Promise<void> {
  const checked = checkUrl(url, allowList);
  let unknown = false;
  const tolerant: ResolveHost = async (host) => {
    try {
      return await withTimeout(resolve(host), CHECK_MILLISECONDS);
    } catch {
      unknown = true;
      return [];
    }
  };
  await resolveChecked(checked, allowList, tolerant);
  if (unknown && checked.mustBeAllowed) {
    throw new ForbiddenUrlError('its host is not on the allow list and cannot be resolved', {
      canBeAllowed: true,
    });
  }
}

function pinnedTo(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('The host name has no address.'), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function exchange(
  open: typeof requestHttp,
  connect: RequestOptions,
  { body, maxResponseBytes }: Pick<GuardedRequest, 'body' | 'maxResponseBytes'>,
): Promise<GuardedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = open(connect, (incoming) => {
      readAtMost(incoming, maxResponseBytes).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }),
        reject,
      );
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection while the request was being sent: nothing of it was read.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET' && connect.signal?.aborted !== true) {
        resolve(exchange(open, { ...connect, agent: false }, { body, maxResponseBytes }));
      } else reject(error);
    });
    outgoing.end(body);
  });
}
