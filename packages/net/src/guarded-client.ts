import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { parseAllowList, type AllowList } from './allow-list.ts';
import { bareHost } from './bare-host.ts';
import { checkUrl, type CheckedUrl } from './check-url.ts';
import { toConnectionError } from './connection-error.ts';
import { Deadline } from './deadline.ts';
import { ForbiddenUrlError, isForbiddenUrlError } from './forbidden-url-error.ts';
import { openResponse, type OpenedResponse } from './open-response.ts';
import { readAtMost } from './read-at-most.ts';
import { unlessAborted } from './unless-aborted.ts';
import { resolveChecked, resolveWithSystem, type HostAddress, type ResolveHost } from './resolve-host.ts';

export interface GuardedClientOptions {
  /** Ranges, addresses and host names that may be called although they are private. */
  allow?: readonly string[];
  /** Origins that were typed by whoever runs this program, such as `http://127.0.0.1:4310`: called wherever they lead. */
  trustedOrigins?: readonly string[];
  /** The system's resolver unless given. */
  resolve?: ResolveHost;
}

export interface GuardedRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For everything: resolving, connecting, sending, the answer. */
  timeoutMilliseconds: number;
  /** The rest of a longer answer is not read. */
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
  /** Until the head of the answer is there. */
  timeoutMilliseconds: number;
  /** Ends the reading of the body, too. */
  signal?: AbortSignal;
  /**
   * The request may arrive twice without harm. It then uses a connection that is kept open, and is sent again when that
   * turns out to be closed; otherwise it gets a connection of its own.
   */
  repeatable?: boolean;
}

/**
 * Calls URLs that strangers give.
 *
 * Responsible for never connecting to an address that is neither public nor allowed: the URL is checked, its name
 * resolved, every address checked, and the connection made to those addresses and no others, whatever the name leads to
 * a moment later. A connection that is used again was checked when it was made. Redirects are answers like others.
 * Leaves to the caller what an answer means, and when to try again.
 */
export interface GuardedClient {
  /** Whether the URL may be called as far as can be known now; rejects with ForbiddenUrlError. */
  check(url: string): Promise<void>;
  /** Where a connection to the URL may be made, for callers that make it themselves; rejects as `send` does. */
  addressesOf(url: string, signal?: AbortSignal): Promise<HostAddress[]>;
  /** Rejects with ForbiddenUrlError, or with what went wrong on the way. */
  send(request: GuardedRequest): Promise<GuardedResponse>;
  /**
   * The same with a body that is read as it arrives. Rejects with ForbiddenUrlError, ConnectionError or the signal's
   * reason.
   */
  open(request: GuardedOpenRequest): Promise<OpenedResponse>;
  close(): void;
}

const CHECK_MILLISECONDS = 2_000;

export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const allowList = parseAllowList(options.allow ?? []);
  const resolve = options.resolve ?? resolveWithSystem;
  const trustedOrigins = new Set(options.trustedOrigins);
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  async function admit(url: string, signal: AbortSignal): Promise<AdmittedUrl> {
    const trusted = trustedUrl(url, trustedOrigins);
    const checked = trusted ?? checkUrl(url, allowList);
    const known = trusted === undefined ? allowList : ALLOW_ALL;
    const addresses = await unlessAborted(resolveChecked(checked, known, resolve), signal);
    const plain = checked.url.protocol === 'http:';
    return {
      addresses,
      open: plain ? requestHttp : requestHttps,
      target: {
        hostname: checked.host,
        port: checked.url.port,
        path: `${checked.url.pathname}${checked.url.search}`,
        lookup: pinnedTo(addresses),
        agent: plain ? agents.http : agents.https,
      },
    };
  }

  return {
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
        const { open, target } = await admit(request.url, signal);
        const { agent, ...ownConnection } = target;
        const connection =
          request.repeatable === true ? { ...ownConnection, agent } : { ...ownConnection, agent: false };
        return await openResponse(open, { ...connection, signal }, request);
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
  open: typeof requestHttp;
  target: RequestOptions;
}

/** A URL below an origin that whoever runs this program has typed. */
function trustedUrl(text: string, trustedOrigins: ReadonlySet<string>): CheckedUrl | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!trustedOrigins.has(url.origin)) return undefined;
  const host = bareHost(url.hostname);
  return { url, host, isAddress: isIP(host) !== 0, mustBeAllowed: false };
}

const ALLOW_ALL: AllowList = { hasAddresses: true, allowsHost: () => true, allowsAddress: () => true };

/** A name that does not resolve now may do so later; only one that must be on the allow list has to. */
async function checkReachable(url: string, allowList: AllowList, resolve: ResolveHost): Promise<void> {
  const checked = checkUrl(url, allowList);
  let unknown = false;
  const tolerant: ResolveHost = async (host) => {
    try {
      return await unlessAborted(resolve(host), AbortSignal.timeout(CHECK_MILLISECONDS));
    } catch {
      unknown = true;
      return [];
    }
  };
  await resolveChecked(checked, allowList, tolerant);
  if (unknown && checked.mustBeAllowed) {
    throw new ForbiddenUrlError('its host is not on the allow list and cannot be resolved');
  }
}

function pinnedTo(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('The name has no address.'), '');
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
      // The other side closed an idle connection while the request was on its way: nothing of it was read.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET' && connect.signal?.aborted !== true) {
        resolve(exchange(open, { ...connect, agent: false }, { body, maxResponseBytes }));
      } else reject(error);
    });
    outgoing.end(body);
  });
}
