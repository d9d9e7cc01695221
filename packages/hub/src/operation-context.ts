import { headerValue, type Owner, type RequestContext } from '@holdword/runtime';
import type { HubRequestContext } from './hub-part.ts';

const NO_EXTENSIONS: ReadonlySet<string> = new Set();
const NEVER = new AbortController().signal;

/** The context of an A2A operation that runs as the given owner, either for a caller or for the hub itself. */
export function operationContext(owner: Owner, requestContext?: HubRequestContext): RequestContext {
  const idempotencyKey = requestContext && headerValue(requestContext.headers, 'idempotency-key');
  return {
    owner,
    extensions: NO_EXTENSIONS,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    get signal() {
      return requestContext?.signal ?? NEVER;
    },
  };
}
