import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { HubContext } from '../hub-part.ts';
import { toRestAnswer } from '../wire/encode-error.ts';
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
  /** Whether the tool waits for the agent that answers, which may take long. */
  readonly waits?: boolean;
  /** Runs the tool with validated input. Rejects with a HubError. */
  run(input: JsonObject, hub: ToolHub): Promise<JsonObject>;
}

/** The hub as a tool sees it, for one caller. */
export interface ToolHub {
  readonly context: HubContext;
  readonly requestContext: HubRequestContext;
  /** Calls a method of the hub on behalf of the caller. */
  method(name: string, params: JsonObject): Promise<JsonObject>;
  /** The same hub for a message with an idempotency key, whose answer is not waited for. */
  sending(message: SentMessage): ToolHub;
}

/** A message that can be sent again: it is then the same one. */
export interface SentMessage {
  /** Its idempotency key. */
  readonly key: string;
  /** The session that it was sent in, if it is known. */
  readonly sessionId?: string;
  /** Whether it was sent before, and counts for no limit. */
  readonly isRepeated?: boolean;
}

/** The result of a tool call or its error. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> };

/** Text only: with structured content as well, some hosts show everything to the model twice. */
export function contentOf(outcome: ToolOutcome): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(outcome.ok ? outcome.result : outcome.error) }],
    ...(!outcome.ok && { isError: true }),
  };
}

/** An error that a model can act on: the same as in REST responses. */
export function toolError(error: unknown): JsonObject {
  return asObject(toRestAnswer(error).body['error']);
}

/** Describes a tool as JSON, for clients that do not use MCP. */
export function describeTool({ name, description, inputSchema }: HubTool): ToolDescription {
  return { name, description, inputSchema: { ...z.toJSONSchema(inputSchema, { io: 'input' }) } };
}
