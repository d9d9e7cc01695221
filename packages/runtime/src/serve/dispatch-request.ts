import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type OperationName } from '@holdword/protocol';
import { OPERATION_TABLE, type DecodedOperation } from '@holdword/protocol/internal';
import type { RequestObservation } from '../observe/request-observation.ts';
import type { Caller } from './auth/authentication.ts';
import type { HandlerContext } from './handler-context.ts';
import { HttpRequestContext } from './http-request-context.ts';
import { ownerOf } from './owner-of.ts';
import { dispatch, type OperationResult } from './dispatch.ts';
import { echoExtensions } from './respond.ts';
import { readServiceParameters } from './service-parameters.ts';

/** A request that has been admitted. */
export interface AdmittedRequest {
  readonly caller: Caller;
  readonly observation: RequestObservation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Dispatches the operation that an endpoint has decoded, for the caller, in the tenant that the request names. */
export async function dispatchRequest(
  handler: HandlerContext,
  { caller, observation, request, response }: AdmittedRequest,
  decoded: DecodedOperation,
  tenant: string | undefined,
): Promise<{ result: OperationResult; context: HttpRequestContext }> {
  if (handler.disabledOperations.has(decoded.operation)) throw operationDisabled(decoded.operation);
  const owner = ownerOf(caller, tenant);
  const given = readServiceParameters(request.headers);
  const { operation } = decoded;
  const trace = observation.begin(operation, owner.tenant, given.trace);
  const parameters = trace === undefined || trace === given.trace ? given : { ...given, trace };
  const context = new HttpRequestContext(owner, parameters, response, observation.version);
  echoExtensions(response, context.extensions);
  if (OPERATION_TABLE[operation].streaming) {
    context.releaseStream = handler.admission.openStream(caller, (error) => {
      observation.end(error);
      context.abort(error);
    });
  }
  try {
    return { result: await dispatch(handler, decoded, context), context };
  } catch (error) {
    context.releaseStream?.();
    throw error;
  }
}

function operationDisabled(operation: OperationName): A2AError {
  return new A2AError(
    'METHOD_NOT_FOUND',
    `This agent does not support ${OPERATION_TABLE[operation].method}. Its agent card lists what it supports.`,
  );
}
