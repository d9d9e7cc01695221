import { z } from 'zod';
import type { Tool, ToolAnnotations, ToolCallOptions, ToolContext, ToolResult } from './tool.ts';

/** A tool as agent frameworks take it. Its `inputSchema` is a Standard Schema, made with zod. */
export interface ToolDefinition {
  /** What the model calls it by. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the model that chooses the tool. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** The input as JSON Schema. */
  readonly inputJsonSchema: Record<string, unknown>;
  /** Resolves with JSON, also when something went wrong: `{error: true, error_message}`. Rejects only when it is aborted. */
  readonly execute: (input: unknown, options?: ToolCallOptions) => Promise<ToolResult>;
}

export function toolDefinition({ call, ...description }: Tool, context: ToolContext): ToolDefinition {
  return {
    ...description,
    inputJsonSchema: { ...z.toJSONSchema(description.inputSchema, { io: 'input' }) },
    execute: (input, options) => call(context, input, options),
  };
}
