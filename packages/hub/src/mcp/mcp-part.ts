import { isLoopback } from '@holdword/net/internal';
import type { JsonObject } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { HubContext, HubPart } from '../hub-part.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { HubError, RestError } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstHeader } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { describeTool, type SentMessage, type ToolHub } from './hub-tool.ts';
import { HUB_TOOLS } from './hub-tools.ts';
import { openMcpServer } from './mcp-server.ts';

/**
 * The hub over MCP. Responsible for forwarding tool calls to the hub's methods on behalf of the authenticated caller; leaves
 * the work to the methods. `methods` is read on each call, because all parts contribute to it.
 */
export function mcpPart(context: HubContext, methods: () => readonly HubMethod[]): HubPart {
  const { settings, log } = context;
  const ownHost = new URL(context.baseUrl).hostname;
  const onError = (error: Error): void => log.warn('MCP request failed.', { error: error.message });
  return {
    tools: HUB_TOOLS.map(describeTool),
    mounts: [
      {
        path: HUB_PATHS.mcp,
        verbs: ['POST'],
        description: 'MCP over streamable HTTP: the tools of the hub and tools/batch.',
        async handle(request, response, requestContext) {
          requireOwnOrigin(request.headers.origin, ownHost);
          requireHost(request.headers.host);
          const hub = toolHub(context, methods, withQuerySession(requestContext, request.url));
          const open = (era: 'legacy' | 'modern') => openMcpServer(HUB_TOOLS, hub, era);
          const { bodyBytes } = settings;
          const handler = toNodeHandler(
            { fetch: (webRequest) => answerMcp(webRequest, { open, bodyBytes, onError }) },
            { onerror: onError, maxRequestBodySize: bodyBytes },
          );
          // Server requests always have both; Node's types also cover client responses, where they are optional.
          const { method = 'POST', url = HUB_PATHS.mcp } = request;
          await handler(Object.assign(request, { method, url }), response);
        },
      },
    ],
  };
}

const MAX_SHOWN = 100;

/** MCP servers must refuse the pages of other sites, by whose name a browser may have reached this one (DNS rebinding). */
function requireOwnOrigin(origin: string | undefined, ownHost: string): void {
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).hostname : undefined;
  if (host !== undefined && (host === ownHost || isLoopback(host))) return;
  throw new RestError(
    403,
    'origin_not_allowed',
    `Origin ${JSON.stringify(shorten(origin, MAX_SHOWN))} is not allowed.`,
    `Call this endpoint from a program, or from a page of ${ownHost} or of this machine.`,
  );
}

function toolHub(
  context: HubContext,
  methods: () => readonly HubMethod[],
  requestContext: HubRequestContext,
  sent?: SentMessage,
): ToolHub {
  return {
    context,
    requestContext,
    async method(name: string, params: JsonObject) {
      const method = methods().find((each) => each.name === name);
      if (method === undefined) {
        throw new HubError('DELX-A2A-1002', `Unknown method ${name}.`);
      }
      const waits = sent === undefined || name !== 'message/send';
      return method.handle(waits ? params : { ...params, blocking: false }, requestContext);
    },
    sending(message) {
      const { key, sessionId, isRepeated } = message;
      const headers = {
        ...requestContext.headers,
        'idempotency-key': key,
        ...(sessionId !== undefined && { [SESSION_ID_HEADERS[0]]: sessionId }),
      };
      return toolHub(context, methods, { ...requestContext, headers, isRepeated }, message);
    },
  };
}

/** The library makes a URL of it, and fails if it is none. */
function requireHost(host: string | undefined): void {
  if (host === undefined || URL.canParse(`http://${host}`)) return;
  throw new RestError(
    400,
    'invalid_host',
    `The Host header ${JSON.stringify(shorten(host, MAX_SHOWN))} is not a host name with an optional port.`,
    'Send the host and port of this server.',
  );
}

/** Clients that cannot set headers can pass the session in the query. */
function withQuerySession(requestContext: HubRequestContext, url = ''): HubRequestContext {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined;
  const sessionId = query?.get('session_id');
  const isNamed = firstHeader(requestContext.headers, SESSION_ID_HEADERS) !== undefined;
  if (sessionId === undefined || sessionId === null || isNamed) return requestContext;
  return { ...requestContext, headers: { ...requestContext.headers, [SESSION_ID_HEADERS[0]]: sessionId } };
}

export interface McpAnswerOptions {
  /** Creates a server for this request, which acts for its caller. */
  readonly open: (era: 'legacy' | 'modern') => McpServer;
  /** Maximum size of the request body in bytes. */
  readonly bodyBytes: number;
  /** Called for requests that could not be read or answered. */
  readonly onError: (error: Error) => void;
}

/**
 * Answers one MCP request over streamable HTTP, in either revision of the protocol, with a single JSON response.
 *
 * Stateless: continuity comes from the hub's session, not from the connection. A client can therefore call a tool in its
 * first request, without a handshake, and on any replica of the hub.
 */
async function answerMcp(request: Request, options: McpAnswerOptions): Promise<Response> {
  const { open, bodyBytes: maxRequestBodySize, onError: onerror } = options;
  if (request.method !== 'POST') return onlyPost();
  const accepting = acceptingJson(request);
  if (await isLegacyRequest(accepting, undefined, { maxRequestBodySize })) {
    return answerLegacy(accepting, open('legacy'));
  }
  const handler = createMcpHandler(() => open('modern'), {
    legacy: 'reject',
    responseMode: 'json',
    maxRequestBodySize,
    onerror,
  });
  return handler.fetch(accepting);
}

async function answerLegacy(request: Request, server: McpServer): Promise<Response> {
  // Without a session id generator, the transport is stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}

/** The protocol requires clients to accept both types; programs such as curl send a wildcard or nothing. */
function acceptingJson(request: Request): Request {
  const accepted = request.headers.get('accept');
  if (accepted !== null && !accepted.includes('*/*')) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request, { headers });
}

function onlyPost(): Response {
  const error = { code: -32000, message: 'Only POST is supported: this server keeps no streams open.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 405, headers: { Allow: 'POST' } });
}
