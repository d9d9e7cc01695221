import type { JsonObject } from '@holdword/protocol';
import type { z } from 'zod';
import type { HubContext } from '../hub-context.ts';
import type { HubRequestContext } from '../hub-part.ts';

/** One tool of the hub. What it does is done by the hub's own methods, so that MCP and A2A never differ. */
export interface HubTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** `input` is as the schema says. Fails with a HubError. */
  run(input: JsonObject, hub: ToolHub): Promise<JsonObject>;
}

/** The hub as a tool sees it, for one caller. */
export interface ToolHub {
  readonly context: HubContext;
  readonly requestContext: HubRequestContext;
  /** Calls a method of the hub in the caller's name. */
  method(name: string, params: JsonObject): Promise<JsonObject>;
}
