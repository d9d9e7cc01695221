// The part of OpenClaw 2026.9.6's plugin SDK that this plugin uses. OpenClaw is not a dependency of the workspace: it loads the
// plugin and provides these modules.

declare module 'openclaw/plugin-sdk/channel-core' {
  import type {
    ChannelAccountSnapshot,
    ChannelGatewayContext,
    ChannelStatusAdapter,
  } from 'openclaw/plugin-sdk/channel-contract';

  /** The configuration of the gateway when the account started. */
  export interface OpenClawConfig {
    readonly channels?: Readonly<Record<string, unknown>>;
    readonly gateway?: unknown;
    readonly bindings?: readonly unknown[];
    readonly session?: { readonly store?: string };
  }

  /** The parts of a channel plugin that this plugin implements. */
  export interface ChannelPlugin<Account> {
    readonly id: string;
    readonly meta: {
      id: string;
      label: string;
      selectionLabel: string;
      docsPath: string;
      blurb: string;
      order?: number;
    };
    readonly capabilities: { chatTypes: 'direct'[]; media?: boolean; blockStreaming?: boolean };
    readonly reload: { configPrefixes: string[] };
    readonly config: {
      listAccountIds(cfg: OpenClawConfig): string[];
      resolveAccount(cfg: OpenClawConfig, accountId?: string | null): Account;
      defaultAccountId(cfg: OpenClawConfig): string;
      isEnabled(account: Account, cfg: OpenClawConfig): boolean;
      isConfigured(account: Account, cfg: OpenClawConfig): boolean;
      disabledReason(account: Account, cfg: OpenClawConfig): string;
      unconfiguredReason(account: Account, cfg: OpenClawConfig): string;
      describeAccount(account: Account, cfg: OpenClawConfig): ChannelAccountSnapshot;
    };
    readonly approvalCapability: object;
    readonly status: ChannelStatusAdapter<Account>;
    readonly gateway: { startAccount(context: ChannelGatewayContext<Account>): Promise<void> };
  }

  export interface OpenClawPluginApi {
    readonly logger: { error(message: string): void };
    on(hook: 'gateway_start', handler: (event: unknown, context: { config?: OpenClawConfig }) => void): void;
    on(
      hook: 'before_tool_call',
      handler: (
        event: { toolName: string; toolCallId?: string },
        context: { sessionKey?: string },
      ) => Promise<{ block: true; blockReason: string } | undefined>,
    ): void;
    registerHook(
      event: 'agent:bootstrap',
      handler: (event: { sessionKey: string; context: Record<string, unknown> }) => Promise<void>,
      options: { name: string; description: string },
    ): void;
  }

  export function defineChannelPluginEntry<Account>(entry: {
    id: string;
    name: string;
    description: string;
    plugin: ChannelPlugin<Account>;
    registerCapabilities(api: OpenClawPluginApi): void;
  }): unknown;
}

declare module 'openclaw/plugin-sdk/agent-scope-runtime' {
  import type { OpenClawConfig } from 'openclaw/plugin-sdk/channel-core';

  export function listAgentIds(cfg: OpenClawConfig): string[];
  export function resolveAgentConfig(cfg: OpenClawConfig, agentId: string): { name?: string } | undefined;
}

declare module 'openclaw/plugin-sdk/session-store-runtime' {
  interface SessionRef {
    agentId: string;
    sessionKey: string;
    storePath: string;
  }

  export interface SessionEntry {
    sessionId: string;
    updatedAt: number;
    status?: 'running' | 'done' | 'failed' | 'killed' | 'timeout';
    abortedLastRun?: boolean;
    restartRecoveryDeliveryReceiptState?: 'terminal-pending' | 'delivered-terminal';
    subagentRole?: 'orchestrator' | 'leaf';
    permissionMode?: 'read-only' | 'guarded' | 'workspace' | 'full';
    sessionRoot?: string;
    spawnedCwd?: string;
  }

  export function resolveStorePath(store: string | undefined, options: { agentId: string }): string;
  export function getSessionEntry(
    session: SessionRef & { hydrateSkillPromptRefs: boolean },
  ): SessionEntry | undefined;
  export function patchSessionEntry(
    patch: SessionRef & {
      fallbackEntry: SessionEntry;
      update: () => Partial<SessionEntry>;
      preserveActivity: boolean;
      skipMaintenance: boolean;
      requireWriteSuccess: boolean;
    },
  ): Promise<SessionEntry | null>;
}

declare module 'openclaw/plugin-sdk/channel-contract' {
  import type { OpenClawConfig } from 'openclaw/plugin-sdk/channel-core';

  export interface ChannelLogSink {
    info: (message: string) => void;
    warn: (message: string) => void;
    error: (message: string) => void;
  }

  /** The status of an account as shown by the gateway. */
  export interface ChannelAccountSnapshot {
    accountId: string;
    name?: string;
    enabled?: boolean;
    configured?: boolean;
    running?: boolean;
    connected?: boolean;
    lifecycle?: 'starting' | 'ready' | 'recovering' | 'blocked' | 'stopped';
    stateReason?: string;
    lastError?: string | null;
    lastInboundAt?: number | null;
    busy?: boolean;
    activeRuns?: number;
    /** The result of a probe. */
    probe?: unknown;
  }

  export interface ChannelGatewayContext<Account> {
    readonly cfg: OpenClawConfig;
    readonly accountId: string;
    readonly account: Account;
    readonly abortSignal: AbortSignal;
    readonly log?: ChannelLogSink;
    readonly setStatus: (next: ChannelAccountSnapshot) => void;
    readonly channelRuntime?: unknown;
  }

  export interface ChannelStatusIssue {
    channel: string;
    accountId: string;
    kind: 'config' | 'permissions' | 'runtime';
    message: string;
    fix?: string;
  }

  export interface ChannelStatusAdapter<Account> {
    probeAccount(input: { account: Account; cfg: OpenClawConfig }): Promise<unknown>;
    buildAccountSnapshot(input: {
      account: Account;
      cfg: OpenClawConfig;
      runtime?: ChannelAccountSnapshot;
    }): ChannelAccountSnapshot;
    collectStatusIssues(accounts: readonly ChannelAccountSnapshot[]): ChannelStatusIssue[];
  }
}

declare module 'openclaw/plugin-sdk/channel-inbound' {
  import type { OpenClawConfig } from 'openclaw/plugin-sdk/channel-core';

  interface RoutePeer {
    kind: 'direct';
    id: string;
  }

  interface ResolvedRoute {
    readonly agentId: string;
    readonly accountId?: string;
    readonly dmScope?: string;
    readonly sessionKey: string;
  }

  interface MediaFact {
    readonly path?: string;
  }

  export function resolveChannelInboundRouteEnvelope(input: {
    cfg: OpenClawConfig;
    channel: string;
    accountId: string;
    defaultAgentId?: string;
    peer: RoutePeer;
    parentPeer: RoutePeer;
    dmScope: 'per-account-channel-peer';
  }): {
    route: ResolvedRoute;
    buildEnvelope: (input: { channel: string; from: string; timestamp: number; body: string }) => string;
  };

  export function toInboundMediaFacts(
    media: readonly { path: string; contentType?: string; fileName?: string; messageId?: string }[],
  ): MediaFact[];
}

declare module 'openclaw/plugin-sdk/webhook-ingress' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export function registerPluginHttpRoute(route: {
    path: string;
    auth: 'plugin';
    match: 'exact' | 'prefix';
    pluginId: string;
    source: string;
    accountId: string;
    throwOnFailure: true;
    handler: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  }): () => void;
}

declare module 'openclaw/plugin-sdk/webhook-request-guards' {
  export function runDetachedWebhookWork<Result>(run: () => Promise<Result>): Promise<Result>;
}

declare module 'openclaw/plugin-sdk/approval-gateway-runtime' {
  import type { OpenClawConfig } from 'openclaw/plugin-sdk/channel-core';

  export function resolveApprovalOverGateway(decision: {
    cfg: OpenClawConfig;
    approvalId: string;
    approvalKind: 'exec' | 'plugin';
    decision: 'allow-once' | 'allow-always' | 'deny';
    channel: string;
    accountId: string;
    senderId: string;
    clientDisplayName: string;
  }): Promise<{ applied: boolean }>;
}

declare module 'openclaw/plugin-sdk/state-paths' {
  export function resolveStateDir(environment?: Readonly<Record<string, string | undefined>>): string;
}
