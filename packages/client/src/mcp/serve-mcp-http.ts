import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback, listenError } from '@holdword/net/internal';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import {
  checkArgument,
  checkOptions,
  isFunction,
  isNonEmptyText,
  isPort,
  type OptionCheck,
} from '../basics/check-options.ts';
import { isToolServer, type McpToolServer } from './mcp-tool-server.ts';

/** Options of {@link serveMcpHttp}. */
export interface McpHttpOptions {
  /** The port to listen on; 0 picks a free one. */
  port: number;
  /**
   * The address to listen on. An address other than loopback requires a token.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
  /** Callers must send it as `Authorization: Bearer TOKEN`. Without it, only programs on this machine can call. */
  token?: string | undefined;
  /** Called for requests that could not be read or answered. */
  onError?: ((error: Error) => void) | undefined;
}

/** A running MCP server over HTTP. */
export interface ServedMcp {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  /** Stops the server and closes all connections. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const DEFAULT_HOST = '127.0.0.1';

/**
 * Serves MCP over streamable HTTP, for both revisions of the protocol.
 *
 * Responsible for access control: without a token, only programs on this machine can call. Web pages are rejected, even with
 * DNS rebinding: without a token the Host header must be a local name, and an Origin header must always be local.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
 * import { McpToolServer, serveMcpHttp } from '@holdword/client/mcp';
 *
 * const session = new A2ASession(new A2AAgents('./agents.json'));
 * const server = new McpToolServer({ tools: new A2ATools(session), version: '1.0.0' });
 * const { url } = await serveMcpHttp(server, { port: 8123 });
 * console.log(`MCP at ${url}`);
 * ```
 *
 * @throws Error if `host` is not a loopback address and there is no token, or if the port cannot be opened; TypeError if an
 *   argument or an option is unknown or invalid.
 */
export async function serveMcpHttp(server: McpToolServer, options: McpHttpOptions): Promise<ServedMcp> {
  const call = 'serveMcpHttp(server, options)';
  checkArgument(call, 'server', server, isToolServer);
  checkOptions(call, options, {
    port: isPort,
    host: isNonEmptyText,
    token: isNonEmptyText,
    onError: isFunction,
  } satisfies Record<keyof McpHttpOptions, OptionCheck>);
  checkArgument(call, 'port', options.port, isPort);
  const { port, host = DEFAULT_HOST, token, onError } = options;
  if (token === undefined && !isLoopback(host)) {
    throw new Error(
      `Refusing to listen on ${host} without a token: anyone on that network could use your agents. Set a token, or listen ` +
        `on ${DEFAULT_HOST}.`,
    );
  }
  const report = onError && { onerror: onError };
  // All who have the token are one caller; with another token, the tasks of the old one are not visible.
  const caller = `http:${token === undefined ? '' : digest(token).toString('hex')}`;
  const sessions = new LegacySessions(() => server.open());
  const current = createMcpHandler(({ era }) => server.open({ caller, era }), {
    legacy: 'reject',
    ...report,
  });
  const handle = toNodeHandler(
    {
      fetch: async (request, requestOptions) =>
        (await isLegacyRequest(request)) ? sessions.handle(request) : current.fetch(request, requestOptions),
    },
    report,
  );
  const mayCall = callerCheck(token);
  const http = createServer((request, response) => {
    if (!mayCall(request, response)) return;
    // Server requests always have both; Node's types also cover client responses, where they are optional.
    const { method = 'GET', url = '/' } = request;
    handle(Object.assign(request, { method, url }), response).catch((error: unknown) => {
      onError?.(error instanceof Error ? error : new Error(String(error)));
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => reject(listenError(error, host, port)));
    http.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(http.address() as AddressInfo).port}${PATH}`,
    async close() {
      const closed = once(http, 'close');
      http.close();
      await Promise.all([sessions.close(), current.close()]);
      http.closeAllConnections();
      await Promise.all([closed, server.close()]);
    },
  };
}

type RequestCheck = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Returns whether a request may be served; answers it if not. */
function callerCheck(token: string | undefined): RequestCheck {
  const hasLocalHost = localhostHostValidation();
  const hasLocalOrigin = localhostOriginValidation();
  return (request, response) => {
    if (!hasLocalOrigin(request, response)) return false;
    if (token === undefined) {
      if (!hasLocalHost(request, response)) return false;
    } else if (!hasToken(request.headers.authorization, token)) {
      refuse(response, 401, 'The token is missing or wrong. Send it as "Authorization: Bearer TOKEN".');
      return false;
    }
    // Not parsed as a URL: neither the target nor the Host header of a request need be a part of one.
    const [path] = (request.url ?? '/').split('?', 1);
    if (path !== PATH) {
      refuse(response, 404, `Not found. The MCP endpoint is ${PATH}.`);
      return false;
    }
    if (URL.canParse(`http://${request.headers.host ?? 'localhost'}`)) return true;
    refuse(response, 400, 'The Host header is not a host name with an optional port.');
    return false;
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

const DEFAULT_MAX_SESSIONS = 200;

/**
 * Sessions of hosts that speak the 2025 revision of MCP, where a call and its cancellation are separate requests.
 *
 * Responsible for routing both to the same server. If there are too many sessions, the least recently used one is closed;
 * its host then gets a 404 and starts a new one, as the protocol specifies.
 */
export class LegacySessions {
  readonly #open: () => McpServer;
  readonly #maxSessions: number;
  /** By session id, most recently used last. */
  readonly #sessions = new Map<string, Session>();

  constructor(open: () => McpServer, maxSessions = DEFAULT_MAX_SESSIONS) {
    this.#open = open;
    this.#maxSessions = maxSessions;
  }

  async handle(request: Request): Promise<Response> {
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId === null) return this.#begin(request);
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return sessionNotFound();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  async #begin(request: Request): Promise<Response> {
    const server = this.#open();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => this.#keep(sessionId, { server, transport }),
      onsessionclosed: (sessionId) => void this.#sessions.delete(sessionId),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #keep(sessionId: string, session: Session): Promise<void> {
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions;
    if (oldest === undefined || this.#sessions.size <= this.#maxSessions) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].server.close();
  }
}

function sessionNotFound(): Response {
  const error = { code: -32001, message: 'Session not found. Start a new one with initialize.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}

/** Whether an Authorization header contains the token. Runs in constant time. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
