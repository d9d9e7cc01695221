import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, OPERATION_TABLE, type OperationCall, type OperationName } from '@holdword/protocol';
import type { WatchedCall } from '../observe/watched-call.ts';
import type { Caller } from './auth/authentication.ts';
import type { Edge } from './edge.ts';
import { HttpCall } from './http-call.ts';
import { ownerOf } from './owner-of.ts';
import { perform, type Answer } from './perform.ts';
import { echoExtensions } from './respond.ts';
import { readServiceParameters } from './service-parameters.ts';

/** A request that has been let in, on its way through an endpoint. */
export interface Admitted {
  readonly caller: Caller;
  readonly watched: WatchedCall;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Makes the call that an endpoint has decoded, for the caller in the tenant that the request names. */
export async function callOperation(
  edge: Edge,
  { caller, watched, request, response }: Admitted,
  operationCall: OperationCall,
  tenant: string | undefined,
): Promise<{ answer: Answer; call: HttpCall }> {
  if (edge.disabledOperations.has(operationCall.operation)) throw operationDisabled(operationCall.operation);
  const owner = ownerOf(caller, tenant);
  const given = readServiceParameters(request.headers);
  const { operation } = operationCall;
  const trace = watched.begin(operation, owner.tenant, given.trace);
  const parameters = trace === undefined || trace === given.trace ? given : { ...given, trace };
  const call = new HttpCall(owner, parameters, response, watched.version);
  echoExtensions(response, call.extensions);
  if (OPERATION_TABLE[operation].streaming) {
    call.releaseStream = edge.admission.openStream(caller, (error) => {
      watched.end(error);
      call.abort(error);
    });
  }
  try {
    return { answer: await perform(edge, operationCall, call), call };
  } catch (error) {
    call.releaseStream?.();
    throw error;
  }
}

function operationDisabled(operation: OperationName): A2AError {
  return new A2AError(
    'METHOD_NOT_FOUND',
    `This agent has no ${OPERATION_TABLE[operation].method}. Its card says what it offers.`,
  );
}
