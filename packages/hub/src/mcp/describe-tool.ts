import { z } from 'zod';
import type { ToolDescription } from '../wire/hub-method.ts';
import type { HubTool } from './hub-tool.ts';

/** Describes a tool as JSON, for clients that do not use MCP. */
export function describeTool({ name, description, inputSchema }: HubTool): ToolDescription {
  return { name, description, inputSchema: { ...z.toJSONSchema(inputSchema, { io: 'input' }) } };
}
