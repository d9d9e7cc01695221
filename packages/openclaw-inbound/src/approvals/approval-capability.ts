import { CHANNEL_ID } from '../plugin-names.ts';
import type { ApprovalChoice, HostApproval } from './approval-router.ts';

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

/** Receives approval requests; see ApprovalRouter. */
export interface ApprovalListeners {
  isAwaited(sessionKey: string): boolean;
  requested(approval: HostApproval): void;
  settled(sessionKey: string, approvalId: string): void;
}

const CHOICES: readonly ApprovalChoice[] = ['allow-once', 'allow-always', 'deny'];
const DEFAULT_CHOICES: readonly ApprovalChoice[] = ['allow-once', 'deny'];
const ENABLED = { kind: 'enabled' } as const;
const KEEP = { kind: 'leave' } as const;

/**
 * Makes the gateway route a tool's approval request to this channel instead of to an operator. The tool call blocks meanwhile,
 * and no callback of the turn reports it: the gateway only notifies channels that have an approval runtime and whose account
 * has registered a context under APPROVAL_CONTEXT.
 */
export function approvalCapability(listeners: ApprovalListeners) {
  const isOurs = ({ accountId, approvalKind, request: { request } }: ApprovalParams): boolean =>
    approvalKind !== 'system-agent' &&
    request.turnSourceChannel === CHANNEL_ID &&
    (request.turnSourceAccountId ?? null) === (accountId ?? null) &&
    listeners.isAwaited(request.sessionKey ?? '');
  const settle = ({ request }: Pick<ApprovalParams, 'request'>): typeof KEEP => {
    listeners.settled(request.request.sessionKey ?? '', request.id);
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
        buildResolvedResult: settle,
        buildExpiredResult: settle,
      },
      transport: {
        prepareTarget: ({ request }: ApprovalParams) => ({ dedupeKey: request.id, target: request.id }),
        deliverPending: (params: ApprovalParams) => {
          listeners.requested(hostApprovalOf(params));
          return { id: params.request.id };
        },
      },
    },
  };
}

/** The capability under which an account registers to receive approval requests. */
export const APPROVAL_CONTEXT = 'approval.native';

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
    ...(typeof request.toolCallId === 'string' && { callId: request.toolCallId }),
    ...(typeof request.toolName === 'string' && { tool: request.toolName }),
    ...(request.title !== undefined && { title: request.title }),
    ...(request.description !== undefined && { reason: request.description }),
    ...(request.command !== undefined && { command: request.command }),
  };
}

function choicesOf(allowed: readonly string[] | null | undefined): ApprovalChoice[] {
  const choices = CHOICES.filter((choice) => allowed?.includes(choice));
  return choices.length > 0 ? choices : [...DEFAULT_CHOICES];
}
