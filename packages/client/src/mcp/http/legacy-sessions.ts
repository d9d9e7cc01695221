import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';

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
