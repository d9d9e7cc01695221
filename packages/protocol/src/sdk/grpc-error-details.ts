import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { BAD_REQUEST_TYPE, ERROR_INFO_TYPE, RETRY_INFO_TYPE } from '../errors/encode-error.ts';

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
      return { '@type': type, fieldViolations: messagesOf(bytes).map(readViolation) };
    case RETRY_INFO_TYPE:
      return { '@type': type, retryDelay: `${messagesOf(bytes).map(readDuration)[0] ?? 0}s` };
    default:
      return { '@type': type };
  }
}

/** The messages in field 1, the only field of these types. */
function messagesOf(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  readFields(bytes, (field, reader) => field === 1 && messages.push(reader.bytes()));
  return messages;
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

/** Calls `read` for each field; it returns false to skip the field. */
function readFields(bytes: Uint8Array, read: (field: number, reader: BinaryReader) => unknown): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (read(field, reader) === false) reader.skip(type);
  }
}
