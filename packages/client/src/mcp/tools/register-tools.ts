import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { V03Event } from '@holdword/protocol';
import type { A2ATools } from '../../tools/a2a-tools.ts';
import type { ToolDefinition } from '../../tools/tool-definition.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { SeenArtifacts } from '../resources/seen-artifacts.ts';
import { progressReporter } from './progress-reporter.ts';
import type { RemoteCancellations } from './remote-cancellations.ts';

export interface ToolRegistration {
  readonly seen: SeenArtifacts;
  /** Undefined if agents keep working after a call is canceled. */
  readonly cancellations: RemoteCancellations | undefined;
}

export function registerTools(server: McpServer, tools: A2ATools, registration: ToolRegistration): void {
  for (const tool of tools.definitions()) {
    const { title, description, inputSchema, annotations } = tool;
    server.registerTool(tool.name, { title, description, inputSchema, annotations }, (input, context) =>
      callTool(tool, input, context, registration),
    );
  }
}

async function callTool(
  tool: ToolDefinition,
  input: Record<string, unknown>,
  context: ServerContext,
  { seen, cancellations }: ToolRegistration,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const report = progressReporter(context);
  let taskId = input['taskId'];
  const onUpdate = async (update: V03Event): Promise<void> => {
    taskId = taskOf(update) ?? taskId;
    await report?.(update);
  };
  try {
    const result = await tool.execute(input, { signal, onUpdate });
    seen.record(input['agentId'], result);
    return contentOf(result);
  } catch (error) {
    if (signal.aborted) cancellations?.begin(input['agentId'], taskId);
    throw error;
  }
}

function taskOf(update: V03Event): string | undefined {
  return update.kind === 'task' ? update.id : update.taskId;
}

/** Text only: with structured content as well, some hosts show everything to the model twice. */
function contentOf(result: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    ...(result['error'] === true && { isError: true }),
  };
}
