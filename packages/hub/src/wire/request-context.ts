import { headerValue, type Owner, type RequestContext, type RequestHeaders } from '@holdword/runtime';

/** The context of one incoming request, before its body is read. */
export interface HubRequestContext {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** Tenant and caller of the API key or token that the request carries, as the store keeps them; undefined without one. */
  readonly callerKey: string | undefined;
  /** Whether that credential has the role `operator`. */
  readonly isOperator: boolean;
  /** The `contextId` next to `params`, where some clients put it. */
  readonly contextId?: string | undefined;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Whether its message was sent before with the same idempotency key, and has been counted for the limits. */
  readonly isRepeated?: boolean | undefined;
  /** Aborts when the caller leaves before the answer. */
  readonly signal: AbortSignal;
}

/** Reports a change that belongs in the audit log: who made it, what happened, and the ids that it is about. */
export type RecordAction = (
  requestContext: Pick<HubRequestContext, 'callerKey' | 'peer'>,
  event: HubEvent,
  agentId: string | undefined,
  about?: Readonly<Record<string, string | undefined>>,
) => void;

/** The changes that are in the audit log. */
export type HubEvent =
  | 'agent-registered'
  | 'agent-updated'
  | 'agent-token-rotated'
  | 'agent-blocked'
  | 'agent-unblocked'
  | 'agent-deleted'
  | 'handoff-offered'
  | 'handoff-claimed'
  | 'handoff-released'
  | 'handoff-finished'
  | 'handoff-withdrawn'
  | 'handoff-declined';

const NO_EXTENSIONS: ReadonlySet<string> = new Set();
const NEVER = new AbortController().signal;

/** The context of an A2A operation that runs as the given owner, either for a caller or for the hub itself. */
export function operationContext(
  owner: Owner,
  requestContext?: HubRequestContext,
  mayContinue?: () => Promise<void>,
): RequestContext {
  const idempotencyKey = requestContext && headerValue(requestContext.headers, 'idempotency-key');
  return {
    owner,
    extensions: NO_EXTENSIONS,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    mayContinue,
    signal: requestContext?.signal ?? NEVER,
  };
}
