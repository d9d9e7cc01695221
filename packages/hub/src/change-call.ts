import type { HubCall } from './hub-part.ts';

/** The same call with something else said in it. Its signal stays unmade until somebody asks for it. */
export function changeCall(call: HubCall, changes: Partial<Pick<HubCall, 'headers' | 'contextId'>>): HubCall {
  const { headers, peer, isOperator, startedAt, contextId } = call;
  return {
    headers,
    peer,
    isOperator,
    startedAt,
    ...(contextId !== undefined && { contextId }),
    ...changes,
    get signal() {
      return call.signal;
    },
  };
}
