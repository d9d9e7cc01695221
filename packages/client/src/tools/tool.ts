import { A2AError, type V03Event } from '@holdword/protocol';
import { asObject, decodeRequest, nearestName, shorten } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import { checkOptions, isFunction, isSignal } from '../basics/check-options.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import { toolError } from './tool-error.ts';

/** The context shared by all tools. */
export interface ToolContext {
  readonly session: A2ASession;
  readonly settings: ArtifactSettings;
  /** Maximum size of a whole result, in characters of its JSON or in the unit of `count`. */
  readonly budget: number;
  readonly count: ((text: string) => number) | undefined;
  /** The tools that the model has. */
  readonly toolNames: ReadonlySet<string>;
  /** Whether a status message that consists only of text is returned as that text or as a message. */
  readonly statusMessage: 'text' | 'message';
}

/** Options of a tool call. */
export interface ToolCallOptions {
  /** Aborts the call, which then rejects with the signal's reason. The agent keeps working. */
  signal?: AbortSignal | undefined;
  /** Called with the task as soon as it is known, then for every update while it runs. */
  onUpdate?: ((update: V03Event) => void | Promise<void>) | undefined;
}

const CALL_CHECKS = { signal: isSignal, onUpdate: isFunction } satisfies Record<
  keyof ToolCallOptions,
  unknown
>;

/** The result of a tool: plain JSON. */
export type ToolResult = Record<string, unknown>;

/** The behavior of a tool, with the hints that MCP defines. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it contacts remote agents. */
  readonly openWorldHint: boolean;
}

interface ToolDescription<Fields extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** Read by the model that chooses the tool. */
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
  /** Validates the input and returns the result. Errors are results as well, for the model to act on. */
  readonly call: (context: ToolContext, input: unknown, options?: ToolCallOptions) => Promise<ToolResult>;
}

export function defineTool<Fields extends z.ZodRawShape>(tool: ToolDescription<Fields>): Tool {
  const { run, ...description } = tool;
  return {
    ...description,
    async call(context, input, options = {}) {
      checkOptions(`${tool.name}(…, options)`, options, CALL_CHECKS);
      options.signal?.throwIfAborted();
      try {
        refuseUnknown(input, Object.keys(tool.inputSchema.shape));
        return await run(context, decodeRequest(tool.inputSchema, input), options);
      } catch (error) {
        // An aborted call rejects with the caller's reason instead of a result.
        options.signal?.throwIfAborted();
        return toolError(error, tool.name);
      }
    },
  };
}

/** An argument that is misspelt would be ignored: a conversation would start anew, or a filter would not apply. */
function refuseUnknown(input: unknown, known: readonly string[]): void {
  const unknown = Object.keys(asObject(input)).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const valid = known.length === 0 ? 'This tool takes no arguments.' : `Its arguments: ${known.join(', ')}.`;
  throw new A2AError(
    'INVALID_PARAMS',
    `There is no argument "${shorten(unknown, MAX_NAME_LENGTH)}".${hint} ${valid}`,
  );
}

const MAX_NAME_LENGTH = 100;

/** For tools that change nothing. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

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

const MAX_WAIT_SECONDS = 24 * 60 * 60;

/** Input fields shared by several tools. Models read the descriptions; optional fields can be null. */
export const field = {
  agentId: (description: string) => z.string().min(1).describe(description),
  taskId: (description: string) => z.string().min(1).describe(description),
  artifactId: z.string().min(1).describe("The artifact's unique identifier"),
  jsonPath: z
    .string()
    .nullish()
    .describe(
      'Dot-separated path to navigate into the data (e.g. "results.items"). "items[0].name" selects one item, and ' +
        '"items[*].name" the names of all items.',
    ),
  seconds: (description: string) =>
    z.number().positive().max(MAX_WAIT_SECONDS).nullish().describe(description),
};
