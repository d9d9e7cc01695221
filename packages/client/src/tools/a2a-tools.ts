import { ArtifactSettings, checkLimit } from '../artifacts/artifact-settings.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import { cancelTask } from './cancel-task.ts';
import { getAgent } from './get-agent.ts';
import { getAgents } from './get-agents.ts';
import { getTask } from './get-task.ts';
import { listTasks } from './list-tasks.ts';
import { searchArtifact } from './search-artifact.ts';
import { sendMessage } from './send-message.ts';
import { toolDefinition, type ToolDefinition } from './tool-definition.ts';
import type { Tool, ToolCallOptions, ToolContext, ToolResult } from './tool.ts';
import { viewDataArtifact } from './view-data-artifact.ts';
import { viewTextArtifact } from './view-text-artifact.ts';

const TOOLS = [getAgents, getAgent, sendMessage, getTask, viewTextArtifact, viewDataArtifact] as const;
const EXTRA_TOOLS = { cancelTask, listTasks, searchArtifact } as const;

export const EXTRA_TOOL_NAMES = ['cancelTask', 'listTasks', 'searchArtifact'] as const;
export type ExtraToolName = (typeof EXTRA_TOOL_NAMES)[number];

export interface A2AToolsOptions {
  artifactSettings?: ArtifactSettings | null | undefined;
  /**
   * The most that a whole reply may have: characters of its JSON, or what `count` counts (default: twice the larger of
   * the settings' two character limits).
   */
  budget?: number | undefined;
  /** Counts something else in a text than its characters, for example tokens. */
  count?: ((text: string) => number) | undefined;
  /** How the message of a status that is nothing but text is given (default: `text`). */
  statusMessage?: 'text' | 'message' | undefined;
  /** Tools that `definitions` gives beside the usual six. */
  extraTools?: readonly ExtraToolName[] | undefined;
}

/** What is searched for in an artifact, and how. */
export interface SearchArtifactOptions {
  /** Whether `*` in the query stands for any characters. */
  wildcards?: boolean | null;
  caseSensitive?: boolean | null;
  /** How many lines of text to give before and after a match. */
  contextLines?: number | null;
  jsonPath?: string | null;
  column?: string | null;
  /** How many matches to pass over. */
  skip?: number | null;
}

/**
 * Tools with which a model works with other agents. Every tool gives JSON that is short enough for a model, and says what
 * went wrong as data, with what to do next. None of it holds addresses, headers or stacks.
 */
export class A2ATools {
  readonly session: A2ASession;
  readonly #context: ToolContext;
  readonly #extraTools: readonly ExtraToolName[];

  constructor(session: A2ASession, options: A2AToolsOptions = {}) {
    const settings = options.artifactSettings ?? new ArtifactSettings();
    const { sendMessageCharacterLimit, viewArtifactCharacterLimit } = settings;
    // Twice, because quotes and line breaks of a text within the limit are escaped in JSON.
    const usual = 2 * Math.max(sendMessageCharacterLimit, viewArtifactCharacterLimit);
    this.session = session;
    this.#extraTools = options.extraTools ?? [];
    this.#context = {
      session,
      settings,
      budget: checkLimit('budget', options.budget ?? usual),
      count: options.count,
      statusMessage: options.statusMessage ?? 'text',
    };
  }

  /** The tools for agent frameworks: the usual six, and the extra ones that were asked for. */
  definitions(): ToolDefinition[] {
    const extra = EXTRA_TOOL_NAMES.filter((name) => this.#extraTools.includes(name));
    return [...TOOLS, ...extra.map((name) => EXTRA_TOOLS[name])].map((tool) =>
      toolDefinition(tool, this.#context),
    );
  }

  /** Lists all agents with their names and descriptions. */
  getAgents(options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(getAgents, {}, options);
  }

  /** Describes one agent with its skills. */
  getAgent(agentId: string, options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(getAgent, { agentId }, options);
  }

  /** Sends a message to an agent and gives what it answers, as far as it comes in time. */
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

  /** Waits for a task that is still in progress. */
  getTask(
    agentId: string,
    taskId: string,
    timeout?: number | null,
    pollInterval?: number | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(getTask, { agentId, taskId, timeout, pollInterval }, options);
  }

  /** Views the text of an artifact, or a range of its lines or characters. */
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

  /** Views the data of an artifact, or rows and columns of it. The last row of a range is included. */
  viewDataArtifact(
    agentId: string,
    taskId: string,
    artifactId: string,
    jsonPath?: string | null,
    rows?: string | null,
    columns?: string | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    const selection = { jsonPath, rows, columns };
    return this.#call(viewDataArtifact, { agentId, taskId, artifactId, ...selection }, options);
  }

  /** Asks an agent to stop working on a task. */
  cancelTask(agentId: string, taskId: string, options?: ToolCallOptions): Promise<ToolResult> {
    return this.#call(cancelTask, { agentId, taskId }, options);
  }

  /** Lists the tasks that an agent has for this user. */
  listTasks(
    agentId: string,
    contextId?: string | null,
    status?: string | null,
    pageToken?: string | null,
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    return this.#call(listTasks, { agentId, contextId, status, pageToken }, options);
  }

  /** Finds a text in an artifact. */
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

  #call(tool: Tool, input: unknown, options: ToolCallOptions = {}): Promise<ToolResult> {
    return tool.call(this.#context, input, options);
  }
}
