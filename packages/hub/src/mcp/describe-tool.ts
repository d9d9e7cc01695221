import { z } from 'zod';
import type { ToolDescription } from '../hub-part.ts';
import type { HubTool } from './hub-tool.ts';

/** A tool as JSON, for those who do not ask over MCP. */
export function describeTool({ name, description, inputSchema }: HubTool): ToolDescription {
  return { name, description, inputSchema: { ...z.toJSONSchema(inputSchema, { io: 'input' }) } };
}
