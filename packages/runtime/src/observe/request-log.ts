import { isTerminal } from '@holdword/protocol';
import { OPERATIONS } from '@holdword/protocol/internal';
import type { Log } from '../log.ts';
import { ownerFromKey } from '../owner.ts';
import type { EndedRequest, Observer, StateChange } from './observer.ts';

/**
 * Logs a line for every request and for every task that ends, at the level `info`: ids, names and numbers, no content. A server
 * whose log leaves that level out does not use it, so that it costs nothing.
 */
export function requestLog(log: Log): Observer {
  return {
    requestEnded: (request) => log.info('Request handled.', requestFields(request)),
    fallbackRejected: ({ operation, named, peer, code }) =>
      log.info('Request handled.', given({ method: operation, outcome: code, named, peer })),
    stateChanged: (change) => {
      if (isTerminal(change.state)) log.info('Task ended.', taskFields(change));
    },
  };
}

function requestFields(request: EndedRequest): Record<string, unknown> {
  const { binding, version, operation, error, limit, reason, milliseconds, taskId, caller, tenant, peer } =
    request;
  return given({
    method: operation && OPERATIONS[operation].method,
    binding,
    version,
    outcome: error ?? 'OK',
    limit,
    reason,
    milliseconds,
    taskId,
    caller,
    tenant: tenant || undefined,
    // Says who was refused before it was known who calls.
    peer: caller === undefined ? peer : undefined,
  });
}

function taskFields({ taskId, state, ownerKey }: StateChange): Record<string, unknown> {
  const { caller, tenant } = ownerFromKey(ownerKey);
  return given({ taskId, state, caller, tenant: tenant || undefined });
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
