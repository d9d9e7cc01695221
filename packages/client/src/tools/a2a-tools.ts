import type { V03Message, V03Task } from '@holdword/protocol';
import { describeValue } from '@holdword/protocol/internal';
import { ArtifactSettings, checkLimit } from '../artifacts/artifact-settings.ts';
import {
  checkArgument,
  checkOptions,
  hasMethods,
  isCount,
  isFunction,
  isRecord,
  isTextList,
  type OptionCheck,
  orNull,
} from '../basics/check-options.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import { getAgent, getAgents } from './agent-tools.ts';
import { viewDataArtifact, viewTextArtifact } from './artifact-tools.ts';
import { searchArtifact } from './search-artifact.ts';
import { cancelTask, getTask, listTasks, replyTo, sendMessage } from './task-tools.ts';
import {
  type Tool,
  type ToolCallOptions,
  type ToolContext,
  toolDefinition,
  type ToolDefinition,
  type ToolResult,
} from './tool.ts';

const TOOLS = [getAgents, getAgent, sendMessage, getTask, viewTextArtifact, viewDataArtifact] as const;
const EXTRA_TOOLS = { cancelTask, listTasks, searchArtifact } as const;

export const EXTRA_TOOL_NAMES = ['cancelTask', 'listTasks', 'searchArtifact'] as const;
/** The name of a tool that is not enabled by default. */
export type ExtraToolName = (typeof EXTRA_TOOL_NAMES)[number];

/** Options of {@link A2ATools}. */
export interface A2AToolsOptions {
  /**
   * How artifacts are minimized and viewed.
   * @default `new ArtifactSettings()`
   */
  artifactSettings?: ArtifactSettings | null | undefined;
  /**
   * Maximum size of a whole result, in characters of its JSON or in the unit of `count`.
   * @default twice the larger of the two character limits in `artifactSettings`: `100000`
   */
  budget?: number | undefined;
  /** Measures a text in another unit than characters, for example in tokens. */
  count?: ((text: string) => number) | undefined;
  /**
   * Whether a status message that consists only of text is returned as that text or as a message.
   * @default 'text'
   */
  statusMessage?: 'text' | 'message' | undefined;
  /**
   * Tools that `definitions` returns in addition to the default six.
   * @default []
   */
  extraTools?: readonly ExtraToolName[] | undefined;
}

function isExtraToolList(value: unknown): string | undefined {
  const expected = `a list of ${EXTRA_TOOL_NAMES.join(', ')}`;
  if (isTextList(value) !== undefined) return expected;
  const wrong = (value as string[]).find((name) => !EXTRA_TOOL_NAMES.some((known) => known === name));
  return wrong === undefined ? undefined : `${expected} (${describeValue(wrong)} is not one)`;
}

const OPTION_CHECKS = {
  artifactSettings: orNull(isRecord),
  budget: isCount,
  count: isFunction,
  statusMessage: (value) => (value === 'text' || value === 'message' ? undefined : "'text' or 'message'"),
  extraTools: isExtraToolList,
} satisfies Record<keyof A2AToolsOptions, OptionCheck>;

/** Options of `searchArtifact`. */
export interface SearchArtifactOptions {
  /**
   * Whether `*` in the query matches any characters.
   * @default false
   */
  wildcards?: boolean | null;
  /** @default false */
  caseSensitive?: boolean | null;
  /**
   * Number of lines to return before and after a match.
   * @default 2
   */
  contextLines?: number | null;
  /** Searches only the data at this path. */
  jsonPath?: string | null;
  /** Searches only this column of a table. */
  column?: string | null;
  /**
   * Number of matches to skip, for paging.
   * @default 0
   */
  skip?: number | null;
}

/**
 * LLM-friendly tools for working with remote agents. Every tool returns JSON that fits a model's context window. Errors
 * are returned as `{error: true, error_message}`, with what to do next. No result contains URLs of agents, headers or stack
 * traces.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
 *
 * const session = new A2ASession(new A2AAgents({ 'research-bot': { url: 'https://research.example.com' } }));
 * const tools = new A2ATools(session);
 *
 * // Give the definitions to an agent framework …
 * for (const { name, description, inputJsonSchema } of tools.definitions()) {
 *   console.log(name, description, inputJsonSchema);
 * }
 * // … or call the tools yourself.
 * console.log(await tools.sendMessage('research-bot', 'Find recent papers on quantum computing'));
 * ```
 */
export class A2ATools {
  readonly session: A2ASession;
  readonly #context: ToolContext;

  /** @throws TypeError if an argument or an option is unknown or invalid. */
  constructor(session: A2ASession, options: A2AToolsOptions = {}) {
    const call = 'new A2ATools(session, options)';
    checkArgument(call, 'session', session, hasMethods(['sendMessage', 'getTask'], 'new A2ASession(…)'));
    checkOptions(call, options, OPTION_CHECKS);
    // Made anew, so that limits are checked which a program gave as a plain object.
    const settings = new ArtifactSettings(options.artifactSettings ?? {});
    const { sendMessageCharacterLimit, viewArtifactCharacterLimit } = settings;
    // Twice, because JSON escapes the quotes and line breaks of a text within the limit.
    const defaultBudget = 2 * Math.max(sendMessageCharacterLimit, viewArtifactCharacterLimit);
    this.session = session;
    this.#context = {
      session,
      settings,
      budget: checkLimit('budget', options.budget ?? defaultBudget),
      count: options.count,
      toolNames: new Set([...TOOLS.map(({ name }) => name), ...(options.extraTools ?? [])]),
      statusMessage: options.statusMessage ?? 'text',
    };
  }

  /** Returns the tools for an agent framework: the default six and the enabled extra tools. */
  definitions(): ToolDefinition[] {
    const extra = EXTRA_TOOL_NAMES.filter((name) => this.#context.toolNames.has(name));
    return [...TOOLS, ...extra.map((name) => EXTRA_TOOLS[name])].map((tool) =>
      toolDefinition(tool, this.#context),
    );
  }

  /** List all available agents with their names and descriptions. */
  getAgents(options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(getAgents, {}, options);
  }

  /** Get detailed information about a specific agent, including its skills. */
  getAgent(agentId: string, options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(getAgent, { agentId }, options);
  }

  /**
   * Send a message to an agent and receive a structured response.
   *
   * @param contextId Continues an existing conversation.
   * @param taskId Attaches the message to an existing task, for `input-required` flows.
   * @param timeout Overrides the default timeout, in seconds. A task that is still running is returned as it is.
   */
  sendMessage(
    agentId: string,
    message: string,
    contextId?: string | null,
    taskId?: string | null,
    timeout?: number | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(sendMessage, { agentId, message, contextId, taskId, timeout }, options);
  }

  /**
   * Check the progress of a task that is still in progress.
   *
   * @param timeout Overrides the monitoring timeout, in seconds.
   * @param pollInterval Overrides the interval between status checks, in seconds.
   */
  getTask(
    agentId: string,
    taskId: string,
    timeout?: number | null,
    pollInterval?: number | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(getTask, { agentId, taskId, timeout, pollInterval }, options);
  }

  /**
   * View text content from an artifact, optionally selecting a range of lines or of characters.
   *
   * @param lineStart Starting line number (1-based, inclusive).
   * @param lineEnd Ending line number (1-based, inclusive).
   * @param characterStart Starting character index (0-based, inclusive).
   * @param characterEnd Ending character index (0-based, exclusive).
   */
  viewTextArtifact(
    agentId: string,
    taskId: string,
    artifactId: string,
    lineStart?: number | null,
    lineEnd?: number | null,
    characterStart?: number | null,
    characterEnd?: number | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    const range = { lineStart, lineEnd, characterStart, characterEnd };
    return this.#call(viewTextArtifact, { agentId, taskId, artifactId, ...range }, options);
  }

  /**
   * View structured data from an artifact with optional filtering.
   *
   * @param jsonPath Dot-separated path to navigate into the data, such as `results.items`.
   * @param rows Row selection: `0`, `0-10`, `0,2,5` or `all`. A range includes its end.
   * @param columns Column selection: `name`, `name,age` or `all`, or a list of names.
   */
  viewDataArtifact(
    agentId: string,
    taskId: string,
    artifactId: string,
    jsonPath?: string | null,
    rows?: string | null,
    columns?: string | readonly string[] | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    const selection = { jsonPath, rows, columns };
    return this.#call(viewDataArtifact, { agentId, taskId, artifactId, ...selection }, options);
  }

  /** Cancel a task. */
  cancelTask(agentId: string, taskId: string, options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(cancelTask, { agentId, taskId }, options);
  }

  /**
   * List the user's tasks on an agent, newest first.
   *
   * @param contextId Only tasks of this conversation.
   * @param status Only tasks in this state, such as `working`.
   * @param pageToken `nextPageToken` of the previous page.
   */
  listTasks(
    agentId: string,
    contextId?: string | null,
    status?: string | null,
    pageToken?: string | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(listTasks, { agentId, contextId, status, pageToken }, options);
  }

  /** Search an artifact for a text. */
  searchArtifact(
    agentId: string,
    taskId: string,
    artifactId: string,
    query: string,
    search: SearchArtifactOptions = {},
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(searchArtifact, { agentId, taskId, artifactId, query, ...search }, options);
  }

  /**
   * The result of `sendMessage` or `getTask` for an answer that the session has returned.
   * @internal
   */
  replyTo(agentId: string, answer: V03Task | V03Message): Promise<ToolResult> {
    return replyTo(this.#context, agentId, answer);
  }

  #call(tool: Tool, input: unknown, options: ToolCallOptions = {}): Promise<ToolResult> {
    return tool.call(this.#context, input, options);
  }
}
