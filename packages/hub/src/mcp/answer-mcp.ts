import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';

export interface McpAnswerOptions {
  /** A server for this one request, which acts for its caller. */
  readonly open: () => McpServer;
  /** The largest body. */
  readonly bodyBytes: number;
  /** Told of requests that could not be read or answered. */
  readonly onError: (error: Error) => void;
}

/**
 * Answers one request of MCP over streamable HTTP, of either revision of the protocol, with one JSON text.
 *
 * Nothing is kept between requests: what continues is the hub's session, not the connection. A client may therefore call
 * a tool with its first request, without a handshake, and any replica of the hub answers it.
 */
export async function answerMcp(request: Request, options: McpAnswerOptions): Promise<Response> {
  const { open, bodyBytes: maxRequestBodySize, onError: onerror } = options;
  if (request.method !== 'POST') return onlyPost();
  const accepting = acceptingJson(request);
  if (await isLegacyRequest(accepting, undefined, { maxRequestBodySize })) {
    return answerLegacy(accepting, open());
  }
  const handler = createMcpHandler(open, {
    legacy: 'reject',
    responseMode: 'json',
    maxRequestBodySize,
    onerror,
  });
  return handler.fetch(accepting);
}

async function answerLegacy(request: Request, server: McpServer): Promise<Response> {
  // Without a generator of session ids the transport is one without sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}

/** Clients must accept both types by the protocol; plain programs such as curl say that they accept anything. */
function acceptingJson(request: Request): Request {
  const accepted = request.headers.get('accept');
  if (accepted !== null && !accepted.includes('*/*')) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request, { headers });
}

function onlyPost(): Response {
  const error = { code: -32000, message: 'Expected POST: this server keeps no streams open.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 405, headers: { Allow: 'POST' } });
}
