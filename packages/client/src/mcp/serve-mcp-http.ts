import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { isLoopback, listenError } from '@holdword/net/internal';
import { hasToken } from './http/has-token.ts';
import { LegacySessions } from './http/legacy-sessions.ts';
import type { McpToolServer } from './mcp-tool-server.ts';

export interface McpHttpOptions {
  /** 0 takes a free one. */
  port: number;
  /** Addresses of other machines' networks need a token (default: 127.0.0.1). */
  host?: string | undefined;
  /** What callers must give as `Authorization: Bearer TOKEN`. */
  token?: string | undefined;
  /** Told of requests that could not be read or answered. */
  onError?: ((error: Error) => void) | undefined;
}

export interface ServedMcp {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const DEFAULT_HOST = '127.0.0.1';

/**
 * Serves MCP over streamable HTTP, to hosts of both revisions of the protocol.
 *
 * Responsible for who may call: on this machine alone without a token, anywhere with one. Web pages are kept out, also
 * those that reach this machine through a name of their own: the Host header must be a local name where there is no token,
 * and an Origin header must always be.
 */
export async function serveMcpHttp(server: McpToolServer, options: McpHttpOptions): Promise<ServedMcp> {
  const { port, host = DEFAULT_HOST, token, onError } = options;
  if (token === undefined && !isLoopback(host)) {
    throw new Error(
      `Refused to listen on ${host} without a token: everybody on that network could use your agents. Set a token, or ` +
        `listen on ${DEFAULT_HOST}.`,
    );
  }
  const report = onError && { onerror: onError };
  const sessions = new LegacySessions(() => server.open());
  const current = createMcpHandler(() => server.open(), { legacy: 'reject', ...report });
  const handle = toNodeHandler(
    {
      fetch: async (request, requestOptions) =>
        (await isLegacyRequest(request)) ? sessions.handle(request) : current.fetch(request, requestOptions),
    },
    report,
  );
  const mayCall = callerCheck(token);
  const http = createServer((request, response) => {
    // Every request of a server has both; the types of Node are those of answers to a client too.
    const { method = 'GET', url = '/' } = request;
    if (mayCall(request, response)) void handle(Object.assign(request, { method, url }), response);
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
      await Promise.all([closed, server.settled()]);
    },
  };
}

type RequestCheck = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Answers a request that must not be served itself, and says whether it may be. */
function callerCheck(token: string | undefined): RequestCheck {
  const hasLocalHost = localhostHostValidation();
  const hasLocalOrigin = localhostOriginValidation();
  return (request, response) => {
    if (!hasLocalOrigin(request, response)) return false;
    if (token === undefined) {
      if (!hasLocalHost(request, response)) return false;
    } else if (!hasToken(request.headers.authorization, token)) {
      refuse(
        response,
        401,
        'Expected the token as "Authorization: Bearer TOKEN", found another one or none.',
      );
      return false;
    }
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === PATH) return true;
    refuse(response, 404, `Expected ${PATH}, found another path.`);
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
