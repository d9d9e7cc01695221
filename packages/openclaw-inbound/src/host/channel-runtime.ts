import type { OpenClawConfig, resolveChannelInboundRouteEnvelope, toInboundMediaFacts } from '../api.ts';

/** The agent and the session of a message. */
export type ResolvedRoute = ReturnType<typeof resolveChannelInboundRouteEnvelope>['route'];
type MediaFact = ReturnType<typeof toInboundMediaFacts>[number];

/**
 * The channel runtime that the gateway passes to an account. OpenClaw types it loosely; these are the parts in use.
 */
export interface ChannelRuntime {
  readonly inbound: {
    readonly ingress: { resolveStable(request: IngressRequest): Promise<Ingress> };
    buildContext(message: InboundMessage): InboundContext;
    dispatch(turn: DispatchRequest): Promise<DispatchResult>;
  };
  readonly runtimeContexts: {
    /** Required for the gateway to use the channel's capability. */
    register(context: {
      channelId: string;
      accountId: string;
      capability: string;
      context: object;
      abortSignal: AbortSignal;
    }): unknown;
  };
  /** When messages last arrived and were answered, for the status of the channel. */
  readonly activity: {
    record(activity: { channel: string; accountId: string; direction: 'inbound' | 'outbound' }): void;
  };
  readonly media: {
    saveMediaBuffer(
      content: Buffer,
      mediaType: string | undefined,
      folder: 'inbound',
      maxBytes: number,
      name: string | undefined,
    ): Promise<{ path: string; contentType?: string }>;
  };
}

export function isChannelRuntime(value: unknown): value is ChannelRuntime {
  return (
    typeof value === 'object' &&
    value !== null &&
    'inbound' in value &&
    'activity' in value &&
    'media' in value &&
    'runtimeContexts' in value
  );
}

export interface IngressRequest {
  channelId: string;
  accountId: string;
  cfg: OpenClawConfig;
  identity: { key: 'sender'; entryIdPrefix: string };
  subject: { stableId: string };
  conversation: { kind: 'direct'; id: string };
  contextBinding: {
    agentId: string;
    sessionKey: string;
    messageId: string;
    inboundEventKind: 'user_request';
  };
  dmPolicy: 'allowlist';
  allowFrom: string[];
}

export interface Ingress {
  readonly ingress: { readonly admission: string; readonly reasonCode?: string };
}

export interface InboundMessage {
  channel: string;
  accountId: string;
  messageId: string;
  messageIdFull: string;
  timestamp: number;
  from: string;
  sender: { id: string; name: string };
  conversation: { kind: 'direct'; id: string; label: string };
  route: Pick<ResolvedRoute, 'agentId' | 'dmScope' | 'accountId'> & {
    routeSessionKey: string;
    dispatchSessionKey: string;
  };
  reply: { to: string; originatingTo: string };
  message: { body: string; bodyForAgent: string; rawBody: string; commandBody: string };
  media?: MediaFact[];
  supplemental?: {
    channelStructuredContext: { label: string; source: string; type: string; payload: unknown }[];
  };
  channelIngress: Ingress;
  extra: { CommandInterpretationSuppressed: true };
}

/** Opaque: the result of `buildContext`, passed to `dispatch`. */
export interface InboundContext {
  readonly SessionKey: string;
}

export interface DispatchRequest {
  cfg: OpenClawConfig;
  channel: string;
  accountId: string;
  route: Pick<ResolvedRoute, 'agentId' | 'dmScope' | 'sessionKey'>;
  ctxPayload: InboundContext;
  /** Called when the gateway has recorded the message in its session, before it reads the session. */
  afterRecord: () => Promise<void>;
  delivery: {
    deliver(payload: ReplyPayload, info: { kind: string }): Promise<void>;
    onError(error: unknown, info: { kind: string }): void;
  };
  replyOptions: ReplyOptions;
  replyPipeline: object;
}

export interface DispatchResult {
  readonly admission: { readonly kind: string };
  readonly dispatched: boolean;
  readonly dispatchResult?: { readonly deferredToActiveRun?: string };
}

export interface ReplyPayload {
  readonly text?: string;
  readonly mediaUrl?: string;
  readonly mediaUrls?: readonly string[];
  readonly attachments?: readonly { readonly name?: string }[];
  readonly isError?: boolean;
  readonly isReasoning?: boolean;
}

export interface ReplyOptions {
  sourceReplyDeliveryMode: 'automatic';
  abortSignal: AbortSignal;
  disableTools?: boolean;
  toolsAllow?: string[];
  /** `lightweight` leaves all files of the workspace out of the prompt. */
  bootstrapContextMode?: 'full' | 'lightweight';
  suppressDefaultToolProgressMessages: true;
  allowToolLifecycleWhenProgressHidden: true;
  preserveProgressCallbackStartOrder: true;
  turnAdoptionLifecycle: {
    admission: 'exclusive';
    abortSignal: AbortSignal;
    /** The gateway accepts the turn. It continues when this resolves, and drops the turn when this rejects. */
    onAdopted: () => Promise<void>;
    /** The message is queued behind a running turn. */
    onDeferred: () => void;
  };
  onAgentRunStart(): void;
  onAgentRunTerminalOutcome(outcome: 'completed' | 'failed'): void;
  onAssistantMessageStart(): void;
  onPartialReply(payload: { text?: string }): void;
  onItemEvent(event: ItemPayload): void;
  onCommandOutput(event: CommandOutputPayload): void;
}

export interface ItemPayload {
  readonly toolCallId?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly phase?: string;
  readonly status?: string;
  /** The tool runs a command, whose output is reported separately. */
  readonly commandBearing?: boolean;
}

export interface CommandOutputPayload {
  readonly toolCallId?: string;
  readonly name?: string;
  readonly phase?: string;
  readonly status?: string;
  readonly output?: string;
}
