import { registerTaskMethods } from '@holdword/client/internal/mcp';
import type { JsonObject } from '@holdword/protocol';
import type { CatalogEntry } from '@holdword/runtime';
import { nearestName, safeParse } from '@holdword/protocol/internal';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HubError, showValue } from '../wire/hub-error.ts';
import { hubLinks } from '../wire/hub-links.ts';
import { batchSession, MAX_BATCH_CALLS, runBatch } from './batch.ts';
import { contentOf, type HubTool, type ToolHub, toolError, type ToolOutcome } from './hub-tool.ts';
import { PolledCalls } from './polled-calls.ts';

const SERVER = { name: 'holdword-hub', title: 'Agent continuity' };

const INSTRUCTIONS =
  'These tools preserve your work across sessions and agents. Each call continues the session given by session_id or by ' +
  'the x-delx-session-id header; the session may have been started over A2A. Authenticate with the x-delx-agent-id and ' +
  'x-delx-agent-token headers. To make several calls in one request, use the tools/batch method.';

const batchSchema = z.object({
  calls: z
    .array(
      z.object({
        name: z.string().min(1),
        arguments: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1, { error: `expected 1 to ${MAX_BATCH_CALLS} calls` })
    .max(MAX_BATCH_CALLS, { error: `expected at most ${MAX_BATCH_CALLS} calls` }),
  continue_on_error: z.boolean().default(true),
  session_id: z.string().optional(),
});

/**
 * The entry of a hub in the AI Catalog of its server: the card of its MCP server. Pass it to `serveRuntime` as `catalog`.
 *
 * @example
 * ```ts
 * const [entry] = hubCatalog('https://hub.example');
 * console.log(entry?.type); // application/mcp-server-card+json
 * ```
 */
export function hubCatalog(baseUrl: string, version = '0.0.0'): CatalogEntry[] {
  return [
    {
      name: 'mcp:hub',
      type: 'application/mcp-server-card+json',
      tags: ['hub', 'mcp'],
      data: {
        $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
        ...SERVER,
        name: `${namespaceOf(baseUrl)}/${SERVER.name}`,
        description: 'Sessions, heartbeats and hand-off for agents.',
        version,
        remotes: [{ type: 'streamable-http', url: hubLinks(baseUrl).mcp_endpoint }],
      },
    },
  ];
}

/** The domain of the publisher, last part first. An address without a name belongs to nobody. */
function namespaceOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname.split('.').toReversed().join('.');
}

/** Creates an MCP server that acts for one caller. Tasks came with revision 2026-07-28, which is `modern`. */
export function openMcpServer(tools: readonly HubTool[], hub: ToolHub, era: 'legacy' | 'modern'): McpServer {
  const { version } = hub.context;
  const server = new McpServer({ ...SERVER, version }, { instructions: INSTRUCTIONS });
  const calls = era === 'modern' && new PolledCalls(hub, (...call) => callTool(tools, ...call));
  if (calls !== false) registerTaskMethods(server, calls);
  for (const tool of tools) {
    const { name, title, description, inputSchema, readOnly } = tool;
    const annotations = { readOnlyHint: readOnly, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input) =>
      contentOf(await callTool(tools, name, input, hub)),
    );
  }
  // Instead of the handler of the MCP SDK, which does not suggest a name.
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(tools, name));
    }
    const polled = calls !== false && (await calls.start(tool, input, context));
    if (polled !== false && polled !== undefined) return polled;
    return contentOf(await callTool(tools, name, input, hub));
  });
  server.server.setRequestHandler('tools/batch', { params: batchSchema }, async (params) =>
    runBatch(params.calls, {
      sessionId: await batchSession(hub, params.session_id).catch(rethrowAsInvalidParams),
      continueOnError: params.continue_on_error,
      call: (name, input) => callTool(tools, name, input, hub),
    }),
  );
  return server;
}

/** The session of a batch is not an argument of one of its tools, so an invalid one fails the whole request. */
function rethrowAsInvalidParams(error: unknown): never {
  if (!(error instanceof HubError)) throw error;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.hint ?? ''}`.trim());
}

/** Finds a tool, validates its input and runs it. An error is returned as an outcome, so that the model can react to it. */
async function callTool(
  tools: readonly HubTool[],
  name: string,
  input: JsonObject,
  hub: ToolHub,
): Promise<ToolOutcome> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return { ok: false, error: { message: unknownTool(tools, name) } };
  const checked = safeParse(tool.inputSchema, input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.');
    return { ok: false, error: { message: `${name}: ${field} is invalid. ${issue?.message}.` } };
  }
  try {
    return { ok: true, result: await tool.run(checked.data, hub) };
  } catch (error) {
    hub.context.recordRejection(hub.requestContext, name, error);
    return { ok: false, error: toolError(error) };
  }
}

function unknownTool(tools: readonly HubTool[], name: string): string {
  const names = tools.map((tool) => tool.name);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `Available tools: ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return `Unknown tool ${showValue(name)}. ${hint}`;
}
