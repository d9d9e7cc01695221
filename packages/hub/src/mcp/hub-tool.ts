import type { JsonObject } from '@holdword/protocol';
import { z } from 'zod';
import type { HubContext } from '../hub-part.ts';
import type { ToolDescription } from '../wire/hub-method.ts';
import type { HubRequestContext } from '../wire/request-context.ts';

/** One MCP tool of the hub. Tools call the hub's methods, so that MCP and A2A always behave the same. */
export interface HubTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** Whether the tool changes nothing. */
  readonly readOnly: boolean;
  /** Runs the tool with validated input. Rejects with a HubError. */
  run(input: JsonObject, hub: ToolHub): Promise<JsonObject>;
}

/** The hub as a tool sees it, for one caller. */
export interface ToolHub {
  readonly context: HubContext;
  readonly requestContext: HubRequestContext;
  /** Calls a method of the hub on behalf of the caller. */
  method(name: string, params: JsonObject): Promise<JsonObject>;
}

/** Describes a tool as JSON, for clients that do not use MCP. */
export function describeTool({ name, description, inputSchema }: HubTool): ToolDescription {
  return { name, description, inputSchema: { ...z.toJSONSchema(inputSchema, { io: 'input' }) } };
}
