/*
 * What this plugin uses of the host that loads it, and nothing more: the plugin compiles and runs without OpenClaw.
 */

export interface PluginApi {
  /** `plugins.entries.<id>.config`, which the host has checked against the manifest's schema. */
  readonly pluginConfig?: unknown;
  /** `full` in a gateway; other modes only want to know which tools there are. */
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

/** Of the turn in which the model calls the tool. */
export interface ToolContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
}

export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly resultContentSource: 'network';
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: (update: ToolResult) => void,
  ): Promise<ToolResult>;
}

export interface ToolResult {
  /** What the model reads. */
  content: { type: 'text'; text: string }[];
  /** What programs read. */
  readonly details: unknown;
}
