import { headerValue, type Owner, type RequestContext, type RequestHeaders } from '@holdword/runtime';

/** The context of one incoming request, before its body is read. */
export interface HubRequestContext {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** Whether the caller sent an operator's credential, such as an API key of the server. */
  readonly isOperator: boolean;
  /** The `contextId` next to `params`, where some clients put it. */
  readonly contextId?: string | undefined;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Aborts when the caller leaves before the answer. */
  readonly signal: AbortSignal;
}

const NO_EXTENSIONS: ReadonlySet<string> = new Set();
const NEVER = new AbortController().signal;

/** The context of an A2A operation that runs as the given owner, either for a caller or for the hub itself. */
export function operationContext(owner: Owner, requestContext?: HubRequestContext): RequestContext {
  const idempotencyKey = requestContext && headerValue(requestContext.headers, 'idempotency-key');
  return {
    owner,
    extensions: NO_EXTENSIONS,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    signal: requestContext?.signal ?? NEVER,
  };
}
