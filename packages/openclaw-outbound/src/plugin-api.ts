/*
 * The part of OpenClaw's plugin API that this plugin uses. Declaring it here keeps the plugin independent of OpenClaw at
 * compile time and at run time.
 */

/** The API object that OpenClaw passes to `register`. */
export interface PluginApi {
  /** `plugins.entries.<id>.config`, already validated against the schema in the manifest. */
  readonly pluginConfig?: unknown;
  /** `full` in a gateway; in other modes the host only discovers tools. */
  readonly registrationMode?: string;
  readonly logger: PluginLogger;
  readonly runtime: {
    readonly state: { resolveStateDir(environment: NodeJS.ProcessEnv): string };
  };
  registerTool(
    tool: (context: ToolContext) => HostTool,
    options: { readonly name: string; readonly optional: boolean },
  ): void;
  registerService(service: PluginService): void;
}

export interface PluginLogger {
  info(message: string): void;
  warn(message: string): void;
}

export interface PluginService {
  readonly id: string;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** The turn in which the model calls the tool. */
export interface ToolContext {
  readonly sessionKey?: string;
}

/** A tool as OpenClaw registers it. */
export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly resultContentSource: 'network';
  /** Keeps the tool visible to the model: behind a tool search, models also read `details`, which has no markers. */
  readonly catalogMode: 'direct-only';
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: (update: ToolResult) => void,
  ): Promise<ToolResult>;
}

/** The result of a tool call. */
export interface ToolResult {
  /** The text for the model: the result with untrusted text marked and long values cut. */
  content: { type: 'text'; text: string }[];
  /** The result for programs, a `RemoteAgentResult`; of an update, its progress. */
  readonly details: unknown;
}
