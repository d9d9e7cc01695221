import { CHANNEL_ID } from '../plugin-names.ts';

export type ApprovalChoice = 'allow-once' | 'allow-always' | 'deny';

/** A host tool that needs approval before it runs. */
export interface HostApproval {
  readonly approvalId: string;
  /** The host expects it back with the decision. */
  readonly approvalKind: 'exec' | 'plugin';
  readonly sessionKey: string;
  /** The decisions that the host accepts. */
  readonly decisions: readonly ApprovalChoice[];
  readonly expiresAt: string;
  readonly callId?: string | undefined;
  readonly tool?: string | undefined;
  readonly title?: string | undefined;
  readonly reason?: string | undefined;
  readonly command?: string | undefined;
}

/** How a request ended: somebody decided, or nobody did in time. */
export type ApprovalSettlement = 'decided' | 'expired';

export interface ApprovalListener {
  requested(approval: HostApproval): void;
  settled(approvalId: string, how: ApprovalSettlement): void;
}

/**
 * Routes approval requests of tools to their turns. A session has one turn at a time (J10), so the session identifies the turn.
 * Leaves the handling of a request to the turn.
 */
export class ApprovalRouter {
  readonly #listeners = new Map<string, ApprovalListener>();

  /** Sends the session's approval requests to the listener until the returned function is called. */
  listen(sessionKey: string, listener: ApprovalListener): () => void {
    this.#listeners.set(sessionKey, listener);
    return () => {
      if (this.#listeners.get(sessionKey) === listener) this.#listeners.delete(sessionKey);
    };
  }

  isAwaited(sessionKey: string): boolean {
    return this.#listeners.has(sessionKey);
  }

  requested(approval: HostApproval): void {
    this.#listeners.get(approval.sessionKey)?.requested(approval);
  }

  settled(sessionKey: string, approvalId: string, how: ApprovalSettlement): void {
    this.#listeners.get(sessionKey)?.settled(approvalId, how);
  }
}

/** An approval request of the gateway, as passed to the channel of the turn. */
export interface GatewayApproval {
  readonly id: string;
  readonly request: {
    readonly command?: string;
    readonly title?: string;
    readonly description?: string;
    readonly toolName?: string | null;
    readonly toolCallId?: string | null;
    readonly allowedDecisions?: readonly string[] | null;
    readonly sessionKey?: string | null;
    readonly turnSourceChannel?: string | null;
    readonly turnSourceTo?: string | null;
    readonly turnSourceAccountId?: string | null;
  };
  readonly expiresAtMs: number;
}

/** Requests of the gateway's system agent are not for callers. */
type ApprovalKind = HostApproval['approvalKind'] | 'system-agent';

interface ApprovalParams {
  readonly accountId?: string | null;
  readonly request: GatewayApproval;
  readonly approvalKind: ApprovalKind;
}

/** The capability under which an account registers to receive approval requests. */
export const APPROVAL_CONTEXT = 'approval.native';

const CHOICES: readonly ApprovalChoice[] = ['allow-once', 'allow-always', 'deny'];
const DEFAULT_CHOICES: readonly ApprovalChoice[] = ['allow-once', 'deny'];
const ENABLED = { kind: 'enabled' } as const;
const KEEP = { kind: 'leave' } as const;

/**
 * Makes the gateway route a tool's approval request to this channel instead of to an operator. The tool call blocks meanwhile,
 * and no callback of the turn reports it: the gateway only notifies channels that have an approval runtime and whose account
 * has registered a context under APPROVAL_CONTEXT.
 */
export function approvalCapability(router: Pick<ApprovalRouter, 'isAwaited' | 'requested' | 'settled'>) {
  const isOurs = ({ accountId, approvalKind, request: { request } }: ApprovalParams): boolean =>
    approvalKind !== 'system-agent' &&
    request.turnSourceChannel === CHANNEL_ID &&
    (request.turnSourceAccountId ?? null) === (accountId ?? null) &&
    router.isAwaited(request.sessionKey ?? '');
  const settle =
    (how: ApprovalSettlement) =>
    ({ request }: Pick<ApprovalParams, 'request'>): typeof KEEP => {
      router.settled(request.request.sessionKey ?? '', request.id, how);
      return KEEP;
    };
  return {
    // A caller decides over A2A and only for its own task, never with a command in a message.
    authorizeActorAction: () => ({ authorized: true }),
    getActionAvailabilityState: () => ENABLED,
    getExecInitiatingSurfaceState: () => ENABLED,
    resolveApproveCommandBehavior: () => ({ kind: 'ignore' }) as const,
    native: {
      describeDeliveryCapabilities: () => ({
        enabled: true,
        preferredSurface: 'origin' as const,
        supportsOriginSurface: true,
        supportsApproverDmSurface: false,
      }),
      resolveOriginTarget: ({ request }: ApprovalParams) => ({
        to: request.request.turnSourceTo ?? CHANNEL_ID,
      }),
    },
    nativeRuntime: {
      eventKinds: ['exec', 'plugin'] satisfies HostApproval['approvalKind'][],
      availability: { isConfigured: () => true, shouldHandle: isOurs },
      presentation: {
        buildPendingPayload: () => ({}),
        buildResolvedResult: settle('decided'),
        buildExpiredResult: settle('expired'),
      },
      transport: {
        prepareTarget: ({ request }: ApprovalParams) => ({ dedupeKey: request.id, target: request.id }),
        deliverPending: (params: ApprovalParams) => {
          router.requested(hostApprovalOf(params));
          return { id: params.request.id };
        },
      },
    },
  };
}

function hostApprovalOf({
  approvalKind,
  request: { id, request, expiresAtMs },
}: ApprovalParams): HostApproval {
  return {
    approvalId: id,
    approvalKind: approvalKind === 'plugin' ? approvalKind : 'exec',
    sessionKey: request.sessionKey ?? '',
    decisions: choicesOf(request.allowedDecisions),
    expiresAt: new Date(expiresAtMs).toISOString(),
    callId: request.toolCallId ?? undefined,
    tool: request.toolName ?? undefined,
    title: request.title,
    reason: request.description,
    command: request.command,
  };
}

function choicesOf(allowed: readonly string[] | null | undefined): ApprovalChoice[] {
  const choices = CHOICES.filter((choice) => allowed?.includes(choice));
  return choices.length > 0 ? choices : [...DEFAULT_CHOICES];
}
