import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { HubLinks } from '../wire/hub-links.ts';
import type { ToolDescription } from '../wire/hub-method.ts';
import type { MessageRequest } from './message-request.ts';

const DESCRIPTIVE_KEYS = new Set(['description', 'title', '$schema']);

/** The artifact that describes how to continue the session, so that agents do not need the documentation. */
export function firstArtifact(
  agentId: string,
  sessionId: string,
  links: HubLinks,
  { embedToolSchemas }: Pick<MessageRequest, 'embedToolSchemas'>,
  tools: readonly ToolDescription[],
): JsonObject {
  return {
    artifact_id: 'session',
    name: 'session',
    mimeType: 'application/json',
    data: {
      initialization_parameters: {
        headers: {
          'x-delx-agent-id': agentId,
          'x-delx-agent-token': '<token from agents/register>',
          'x-delx-session-id': sessionId,
        },
        params: { session_id: sessionId },
        query: { session_id: sessionId },
      },
      mcp_handoff: {
        endpoint: links.mcp_endpoint,
        session_id: sessionId,
        tools: tools.map(({ name }) => name),
      },
      ...(embedToolSchemas !== 'off' && {
        tool_schemas_inline: tools.map((tool) => describeTool(tool, embedToolSchemas)),
      }),
    },
  };
}

/** The compact form omits descriptions and titles. */
function describeTool(tool: ToolDescription, detail: 'compact' | 'full'): JsonObject {
  if (detail === 'full') return { ...tool };
  const schema = JSON.stringify(tool.inputSchema, (key, value: unknown) =>
    DESCRIPTIVE_KEYS.has(key) && typeof value === 'string' ? undefined : value,
  );
  return { name: tool.name, inputSchema: asObject(JSON.parse(schema)) };
}
