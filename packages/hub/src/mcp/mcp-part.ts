import { toNodeHandler } from '@modelcontextprotocol/node';
import type { JsonObject } from '@holdword/protocol';
import { changeRequestContext } from '../change-request-context.ts';
import { HUB_PATHS } from '../contracts/hub-paths.ts';
import { HubError } from '../errors/hub-error.ts';
import type { HubContext } from '../hub-context.ts';
import type { HubRequestContext, HubMethod, HubPart } from '../hub-part.ts';
import { firstHeader } from '../read-fields.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { answerMcp } from './answer-mcp.ts';
import { describeTool } from './describe-tool.ts';
import type { ToolHub } from './hub-tool.ts';
import { openMcpServer } from './open-mcp-server.ts';
import { ALL_TOOLS } from './tools/all-tools.ts';

/**
 * The hub over MCP. Responsible for carrying calls of tools to the hub's methods in the name of whoever the headers prove;
 * what a tool does is the methods' own. `methods` is asked when a tool is called: it holds those of all parts.
 */
export function mcpPart(context: HubContext, methods: () => readonly HubMethod[]): HubPart {
  const { settings, log } = context;
  const onError = (error: Error): void =>
    log.warn('A request of MCP could not be answered.', { error: error.message });
  return {
    tools: ALL_TOOLS.map(describeTool),
    mounts: [
      {
        path: HUB_PATHS.mcp,
        verbs: ['POST'],
        description: 'MCP over streamable HTTP: the tools of the hub, and tools/batch.',
        async handle(request, response, requestContext) {
          const hub = toolHub(context, methods, withQuerySession(requestContext, request.url));
          const open = () => openMcpServer(ALL_TOOLS, hub, context.version);
          const { bodyBytes } = settings;
          const handler = toNodeHandler(
            { fetch: (webRequest) => answerMcp(webRequest, { open, bodyBytes, onError }) },
            { onerror: onError, maxRequestBodySize: bodyBytes },
          );
          // Every request of a server has both; the types of Node are those of answers to a client too.
          const { method = 'POST', url = HUB_PATHS.mcp } = request;
          await handler(Object.assign(request, { method, url }), response);
        },
      },
    ],
  };
}

function toolHub(
  context: HubContext,
  methods: () => readonly HubMethod[],
  requestContext: HubRequestContext,
): ToolHub {
  return {
    context,
    requestContext,
    async method(name: string, params: JsonObject) {
      const method = methods().find((each) => each.name === name);
      if (method === undefined) {
        throw new HubError(
          'DELX-A2A-1002',
          `Expected the hub to have the method ${name}, found that it has not.`,
        );
      }
      return method.handle(params, requestContext);
    },
  };
}

/** A client that cannot set headers may name its session in the address. */
function withQuerySession(requestContext: HubRequestContext, url = ''): HubRequestContext {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined;
  const sessionId = query?.get('session_id');
  const isNamed = firstHeader(requestContext.headers, SESSION_ID_HEADERS) !== undefined;
  if (sessionId === undefined || sessionId === null || isNamed) return requestContext;
  return changeRequestContext(requestContext, {
    headers: { ...requestContext.headers, [SESSION_ID_HEADERS[0]]: sessionId },
  });
}
