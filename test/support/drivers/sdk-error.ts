import { A2AError, isJsonRpcError, isRestError } from '@a2a-js/sdk/errors';
import { isGrpcError } from '@a2a-js/sdk/errors/grpc';
import { WireError } from './wire-error.ts';

/** The error of the official client as a WireError; within a stream the original error is its cause. */
export function sdkErrorToWireError(error: unknown): unknown {
  if (error instanceof A2AError) {
    return new WireError({
      message: error.message,
      code: codeOf(error),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: error.reason,
          domain: 'a2a-protocol.org',
        },
      ],
    });
  }
  return error instanceof Error && error.cause instanceof A2AError ? sdkErrorToWireError(error.cause) : error;
}

function codeOf(error: A2AError): number | undefined {
  if (isJsonRpcError(error)) {
    return error.envelopeCode;
  }
  if (isRestError(error)) {
    return error.statusCode;
  }
  return isGrpcError(error) ? error.status : undefined;
}
