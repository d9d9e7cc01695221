import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { ERROR_TABLE, toPublicError } from './a2a-error.ts';
import {
  BAD_REQUEST_TYPE,
  ERROR_INFO_TYPE,
  errorDetails,
  RETRY_INFO_TYPE,
  type ErrorDetail,
} from './encode-error.ts';

const CODES = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const satisfies Record<(typeof ERROR_TABLE)[keyof typeof ERROR_TABLE]['grpc'], number>;

/** The trailer that carries `GrpcStatus.details`. */
export const GRPC_STATUS_DETAILS_TRAILER = 'grpc-status-details-bin';

/** An error response of the gRPC binding. */
export interface GrpcStatus {
  code: number;
  message: string;
  /** A google.rpc.Status as bytes. */
  details: Uint8Array;
}

export function toGrpcStatus(error: unknown): GrpcStatus {
  const known = toPublicError(error);
  const code = CODES[ERROR_TABLE[known.code].grpc];
  const status = new BinaryWriter();
  writeInteger(status, 1, code);
  writeString(status, 2, known.message);
  for (const detail of errorDetails(known)) {
    status.uint32(lengthDelimited(3)).fork();
    writeString(status, 1, detail['@type']);
    status.uint32(lengthDelimited(2)).bytes(encodeDetail(detail));
    status.join();
  }
  return { code, message: known.message, details: status.finish() };
}

function encodeDetail(detail: ErrorDetail): Uint8Array {
  const writer = new BinaryWriter();
  switch (detail['@type']) {
    case ERROR_INFO_TYPE:
      writeString(writer, 1, detail.reason);
      writeString(writer, 2, detail.domain);
      for (const [key, value] of Object.entries(detail.metadata ?? {})) writePair(writer, 3, key, value);
      break;
    case BAD_REQUEST_TYPE:
      for (const { field, description } of detail.fieldViolations) writePair(writer, 1, field, description);
      break;
    case RETRY_INFO_TYPE:
      writeDuration(writer, 1, Number.parseFloat(detail.retryDelay));
      break;
  }
  return writer.finish();
}

/** A message with two strings: a map entry or a field violation. */
function writePair(writer: BinaryWriter, field: number, first: string, second: string): void {
  writer.uint32(lengthDelimited(field)).fork();
  writeString(writer, 1, first);
  writeString(writer, 2, second);
  writer.join();
}

function writeDuration(writer: BinaryWriter, field: number, seconds: number): void {
  const whole = Math.trunc(seconds);
  writer.uint32(lengthDelimited(field)).fork();
  writeInteger(writer, 1, whole);
  writeInteger(writer, 2, Math.round((seconds - whole) * 1e9));
  writer.join();
}

function writeString(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.uint32(lengthDelimited(field)).string(value);
}

function writeInteger(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.uint32(field << 3).int64(value);
}

function lengthDelimited(field: number): number {
  return (field << 3) | 2;
}
