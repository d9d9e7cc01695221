import { z } from 'zod';
import type { Tool, ToolAnnotations, ToolCallOptions, ToolContext, ToolResult } from './tool.ts';

/** A tool for an agent framework. Its `inputSchema` is a zod schema, which implements Standard Schema. */
export interface ToolDefinition {
  /** What the model calls it by. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the model that chooses the tool. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** The input schema as JSON Schema. */
  readonly inputJsonSchema: Record<string, unknown>;
  /** Runs the tool. Resolves with `{error: true, error_message}` if it fails; rejects only if it is aborted. */
  readonly execute: (input: unknown, options?: ToolCallOptions) => Promise<ToolResult>;
}

export function toolDefinition({ call, ...description }: Tool, context: ToolContext): ToolDefinition {
  return {
    ...description,
    inputJsonSchema: { ...z.toJSONSchema(description.inputSchema, { io: 'input' }) },
    execute: (input, options) => call(context, input, options),
  };
}
