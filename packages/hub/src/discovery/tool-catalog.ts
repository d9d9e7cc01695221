import type { JsonObject } from '@holdword/protocol';
import { MAX_BATCH_CALLS } from '../mcp/batch/run-batch.ts';
import type { HubLinks } from '../wire/hub-links.ts';
import type { ToolDescription } from '../wire/hub-method.ts';

/** Every tool requires the token of an agent. */
const ACCESS_MODE = 'agent_token';

/** All tools and their schemas, for clients that do not use MCP. */
export function toolCatalog(tools: readonly ToolDescription[], links: HubLinks): JsonObject {
  return {
    count: tools.length,
    mcp_endpoint: links.mcp_endpoint,
    tool_schema_url_template: links.tool_schema_url_template,
    tools: tools.map((tool) => toolEntry(tool, links)),
    batch: {
      method: 'tools/batch',
      max_calls: MAX_BATCH_CALLS,
      substitutions: ['$SESSION_ID', '${SESSION_ID}', '$prev.<tool>.<field>'],
    },
  };
}

export function toolEntry({ name, description, inputSchema }: ToolDescription, links: HubLinks): JsonObject {
  const { required } = inputSchema;
  return {
    name,
    description,
    access_mode: ACCESS_MODE,
    required_params: Array.isArray(required) ? required : [],
    input_schema: inputSchema,
    schema_url: links.tool_schema_url_template.replace('{tool_name}', name),
  };
}
