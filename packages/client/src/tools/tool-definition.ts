import { z } from 'zod';
import type { Tool, ToolAnnotations, ToolCallOptions, ToolContext, ToolResult } from './tool.ts';

/** A tool as agent frameworks take it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** A Standard Schema, made with zod. */
  readonly inputSchema: z.ZodObject;
  /** The same as JSON Schema. */
  readonly inputJsonSchema: Record<string, unknown>;
  readonly annotations: ToolAnnotations;
  /** Resolves with JSON, also when something went wrong: `{error: true, error_message}`. Rejects only when it is aborted. */
  execute(input: unknown, options?: ToolCallOptions): Promise<ToolResult>;
}

export function toolDefinition(tool: Tool, context: ToolContext): ToolDefinition {
  const { name, title, description, inputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    inputJsonSchema: { ...z.toJSONSchema(inputSchema, { io: 'input' }) },
    annotations,
    execute: (input, options) => tool.call(context, input, options),
  };
}
