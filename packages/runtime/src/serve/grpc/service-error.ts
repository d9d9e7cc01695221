import { Metadata, type StatusObject } from '@grpc/grpc-js';
import { GRPC_STATUS_DETAILS_TRAILER, toGrpcStatus } from '@parley/protocol';

/** An error as the status that ends a call, with its details for the caller's program. */
export function serviceError(error: unknown): StatusObject {
  const { code, message, details } = toGrpcStatus(error);
  const metadata = new Metadata();
  metadata.set(GRPC_STATUS_DETAILS_TRAILER, Buffer.from(details));
  return { code, details: message, metadata };
}
