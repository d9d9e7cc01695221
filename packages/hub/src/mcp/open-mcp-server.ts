import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MAX_BATCH_CALLS, runBatch, type ToolOutcome } from './batch/run-batch.ts';
import { batchSession } from './batch/batch-session.ts';
import { callTool } from './call-tool.ts';
import type { HubTool, ToolHub } from './hub-tool.ts';

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

/** Creates an MCP server that acts for one caller. */
export function openMcpServer(tools: readonly HubTool[], hub: ToolHub, version: string): McpServer {
  const server = new McpServer(
    { name: 'holdword-hub', title: 'Agent continuity', version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of tools) {
    const { name, title, description, inputSchema, readOnly } = tool;
    const annotations = { readOnlyHint: readOnly, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input) =>
      contentOf(await callTool(tools, name, input, hub)),
    );
  }
  server.server.setRequestHandler('tools/batch', { params: batchSchema }, async (params) =>
    runBatch(params.calls, {
      sessionId: await batchSession(hub, params.session_id),
      continueOnError: params.continue_on_error,
      call: (name, input) => callTool(tools, name, input, hub),
    }),
  );
  return server;
}

/** Text only: with structured content as well, some hosts show everything to the model twice. */
function contentOf(outcome: ToolOutcome): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(outcome.ok ? outcome.result : outcome.error) }],
    ...(!outcome.ok && { isError: true }),
  };
}
