import type { JsonObject } from '@holdword/protocol';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { HubContext, HubPart } from '../hub-part.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { HubError } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstHeader } from '../wire/read-fields.ts';
import { changeRequestContext, type HubRequestContext } from '../wire/request-context.ts';
import { answerMcp } from './answer-mcp.ts';
import { describeTool } from './describe-tool.ts';
import type { ToolHub } from './hub-tool.ts';
import { openMcpServer } from './open-mcp-server.ts';
import { ALL_TOOLS } from './tools/all-tools.ts';

/**
 * The hub over MCP. Responsible for forwarding tool calls to the hub's methods on behalf of the authenticated caller; leaves
 * the work to the methods. `methods` is read on each call, because all parts contribute to it.
 */
export function mcpPart(context: HubContext, methods: () => readonly HubMethod[]): HubPart {
  const { settings, log } = context;
  const onError = (error: Error): void => log.warn('MCP request failed.', { error: error.message });
  return {
    tools: ALL_TOOLS.map(describeTool),
    mounts: [
      {
        path: HUB_PATHS.mcp,
        verbs: ['POST'],
        description: 'MCP over streamable HTTP: the tools of the hub and tools/batch.',
        async handle(request, response, requestContext) {
          const hub = toolHub(context, methods, withQuerySession(requestContext, request.url));
          const open = () => openMcpServer(ALL_TOOLS, hub, context.version);
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
        throw new HubError('DELX-A2A-1002', `Unknown method ${name}.`);
      }
      return method.handle(params, requestContext);
    },
  };
}

/** Clients that cannot set headers can pass the session in the query. */
function withQuerySession(requestContext: HubRequestContext, url = ''): HubRequestContext {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined;
  const sessionId = query?.get('session_id');
  const isNamed = firstHeader(requestContext.headers, SESSION_ID_HEADERS) !== undefined;
  if (sessionId === undefined || sessionId === null || isNamed) return requestContext;
  return changeRequestContext(requestContext, {
    headers: { ...requestContext.headers, [SESSION_ID_HEADERS[0]]: sessionId },
  });
}
