import type { HubRequestContext } from './hub-part.ts';

/** Returns a copy of the request context with the given changes. The signal is still created lazily, on first use. */
export function changeRequestContext(
  requestContext: HubRequestContext,
  changes: Partial<Pick<HubRequestContext, 'headers' | 'contextId'>>,
): HubRequestContext {
  const { headers, peer, isOperator, startedAt, contextId } = requestContext;
  return {
    headers,
    peer,
    isOperator,
    startedAt,
    ...(contextId !== undefined && { contextId }),
    ...changes,
    get signal() {
      return requestContext.signal;
    },
  };
}
