import { A2AError, isJsonRpcError, isRestError } from '@a2a-js/sdk/errors';
import { isGrpcError } from '@a2a-js/sdk/errors/grpc';
import { WireError } from './wire-error.ts';

/** What the official client made of a refusal; an error in the middle of a stream is the cause of what it throws. */
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
