import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import {
  ERROR_TABLE,
  GRPC_STATUS_DETAILS_TRAILER,
  toGrpcStatus,
  toPublicError,
} from '@holdword/protocol/internal';

/** An error as the status that ends a call, with its details for the caller's program. */
export function serviceError(error: unknown): StatusObject {
  const known = toPublicError(error);
  const metadata = new Metadata();
  metadata.set(GRPC_STATUS_DETAILS_TRAILER, Buffer.from(toGrpcStatus(known).details));
  return { code: status[ERROR_TABLE[known.code].grpc], details: known.message, metadata };
}
