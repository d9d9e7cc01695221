import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';

export interface McpAnswerOptions {
  /** Creates a server for this request, which acts for its caller. */
  readonly open: () => McpServer;
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
