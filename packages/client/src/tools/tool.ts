import { decodeRequest } from '@holdword/protocol/internal';
import type { V03Event } from '@holdword/protocol';
import type { z } from 'zod';
import type { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import { toolError } from './tool-error.ts';

/** What every tool works with. */
export interface ToolContext {
  readonly session: A2ASession;
  readonly settings: ArtifactSettings;
  /** The most that a whole reply may have: characters of its JSON, or what `count` counts. */
  readonly budget: number;
  readonly count: ((text: string) => number) | undefined;
  /** Whether the message of a status that is nothing but text is given as that text, or as a message. */
  readonly statusMessage: 'text' | 'message';
}

export interface ToolCallOptions {
  /** Stops the call, which then rejects with the signal's reason. The agent works on. */
  signal?: AbortSignal | undefined;
  /** Told of everything new while a task runs. */
  onUpdate?: ((update: V03Event) => void | Promise<void>) | undefined;
}

export type ToolResult = Record<string, unknown>;

/** What a tool does to the world, in the words of MCP. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it reaches agents elsewhere. */
  readonly openWorldHint: boolean;
}

interface ToolDescription<Fields extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses the tool. */
  readonly description: string;
  readonly inputSchema: z.ZodObject<Fields>;
  readonly annotations: ToolAnnotations;
  readonly run: (
    context: ToolContext,
    input: z.output<z.ZodObject<Fields>>,
    options: ToolCallOptions,
  ) => Promise<ToolResult>;
}

export interface Tool extends Omit<ToolDescription<z.ZodRawShape>, 'run'> {
  /** Checks the input and gives the result; what goes wrong is a result too, for the model to act on. */
  readonly call: (context: ToolContext, input: unknown, options?: ToolCallOptions) => Promise<ToolResult>;
}

export function defineTool<Fields extends z.ZodRawShape>(tool: ToolDescription<Fields>): Tool {
  const { run, ...description } = tool;
  return {
    ...description,
    async call(context, input, options = {}) {
      options.signal?.throwIfAborted();
      try {
        return await run(context, decodeRequest(tool.inputSchema, input), options);
      } catch (error) {
        // Whoever stopped the call knows; nobody else is to be told.
        options.signal?.throwIfAborted();
        return toolError(error);
      }
    },
  };
}

/** For tools that look at something and change nothing. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
