import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import { BAD_REQUEST_TYPE, ERROR_INFO_TYPE, RETRY_INFO_TYPE } from '../errors/encode-error.ts';
import { readFields, readMessages } from './proto-fields.ts';

/** Decodes the error details of the trailer `grpc-status-details-bin` to JSON; none if it is unreadable. */
export function errorDetailsOfTrailer(bytes: Uint8Array): unknown[] {
  try {
    return decodeStatus(Buffer.from(bytes)).details.map(({ typeUrl, value }) => detailToJson(typeUrl, value));
  } catch {
    return [];
  }
}

function detailToJson(type: string, bytes: Uint8Array): unknown {
  switch (type) {
    case ERROR_INFO_TYPE:
      return { '@type': type, ...decodeErrorInfo(Buffer.from(bytes)) };
    case BAD_REQUEST_TYPE:
      return { '@type': type, fieldViolations: readMessages(bytes, 1).map(readViolation) };
    case RETRY_INFO_TYPE:
      return { '@type': type, retryDelay: `${readMessages(bytes, 1).map(readDuration)[0] ?? 0}s` };
    default:
      return { '@type': type };
  }
}

function readViolation(bytes: Uint8Array): { field: string; description: string } {
  const violation = { field: '', description: '' };
  readFields(bytes, (field, reader) => {
    if (field === 1) violation.field = reader.string();
    else if (field === 2) violation.description = reader.string();
    else return false;
    return true;
  });
  return violation;
}

function readDuration(bytes: Uint8Array): number {
  let seconds = 0;
  readFields(bytes, (field, reader) => {
    if (field === 1) seconds += Number(reader.int64());
    else if (field === 2) seconds += reader.int32() / 1e9;
    else return false;
    return true;
  });
  return seconds;
}
