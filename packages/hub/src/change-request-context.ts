import type { HubRequestContext } from './hub-part.ts';

/** The same call with something else said in it. Its signal stays unmade until somebody asks for it. */
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
