import { status, type ServiceError } from '@grpc/grpc-js';
import { ConnectionError } from '@holdword/net/internal';
import { GRPC_STATUS_DETAILS_TRAILER, readGrpcError } from '@holdword/protocol/internal';
import { errorDetailsOfTrailer } from '@holdword/protocol/internal/grpc';

/** Converts an error of the gRPC library, which reports connection errors with the same statuses as servers do. */
export function fromGrpcError(error: unknown): unknown {
  if (!isServiceError(error)) return error;
  const [trailer] = error.metadata.get(GRPC_STATUS_DETAILS_TRAILER);
  if (trailer instanceof Buffer) {
    return readGrpcError(error.code, error.details, errorDetailsOfTrailer(trailer));
  }
  if (error.code === status.DEADLINE_EXCEEDED) {
    return new ConnectionError('the request timed out', { sent: true, cause: error });
  }
  if (error.code === status.UNAVAILABLE) {
    const sent = !/No connection established|ECONNREFUSED|Name resolution failed/.test(error.details);
    const reason = sent ? 'the server closed the connection' : connectReason(error.details);
    return new ConnectionError(reason, { sent, cause: error });
  }
  return readGrpcError(error.code, error.details, []);
}

/** The reason for a failed connection. The library gives it only in the message, which contains addresses. */
function connectReason(details: string): string {
  return /certificate|\bSSL\b|\bTLS\b/i.test(details)
    ? 'the TLS handshake failed'
    : 'the connection was refused';
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}
