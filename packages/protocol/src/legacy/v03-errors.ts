import { asObject, isObject } from '../basics/json.ts';
import { invalidFields } from '../decode-request.ts';
import { describeValue } from '../describe-issues.ts';
import { A2AError, isA2AError, toPublicError, type FieldViolation } from '../errors/a2a-error.ts';
import {
  specErrorName,
  toHttpError,
  toJsonRpcError,
  type HttpError,
  type JsonRpcError,
} from '../errors/encode-error.ts';
import { ONE_CONTENT } from '../model.ts';
import { OPERATIONS, type OperationName } from '../operations.ts';
import { toV03State, WRAPPED_DATA } from './v03-json.ts';
import { toV03ProtoState } from './v03-proto-json.ts';

/** A request as it was received. */
interface V03Request {
  readonly wire: V03Wire;
  readonly operation: OperationName;
  /** Parameters or body. Absent if only the converted request is available. */
  readonly given?: unknown;
}

const PART = /^message\.parts\[(\d+)\]$/;

/**
 * Converts an error to the names of 0.3. Requests of 0.3 are validated by the schemas and operations of 1.0, which only know
 * the fields and states of 1.0, so their errors are translated for the caller.
 */
export function coreErrorToV03(error: unknown, request: V03Request): unknown {
  if (!isA2AError(error)) return error;
  const fields = withoutDuplicates(error.fields.map((violation) => explain(violation, request)));
  const message = isListing(error) ? invalidFields(fields).message : inV03Words(error.message, request.wire);
  if (message === error.message && fields.length === 0) return error;
  const { code, metadata, retryAfterSeconds, cause } = error;
  return new A2AError(code, message, {
    fields,
    metadata,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(cause !== undefined && { cause }),
  });
}

/**
 * The body of an error of 0.3 over REST, which 0.3 does not define: that of JSON-RPC, with the name by which clients of Python
 * recognize it, and with the error of 1.0, by which those of Go do.
 */
export function v03RestError(error: unknown): JsonRpcError & { type: string } & HttpError['body'] {
  return {
    type: specErrorName(toPublicError(error).code),
    ...toJsonRpcError(error),
    ...toHttpError(error).body,
  };
}

/** Whether the message lists the fields, so that it is rebuilt from them. */
function isListing({ message, fields }: A2AError): boolean {
  return fields.length > 0 && message === invalidFields([...fields]).message;
}

/** Replaces the words of 1.0 that 0.3 does not have. */
function inV03Words(text: string, wire: V03Wire): string {
  return text
    .replaceAll(/\bTASK_STATE_[A-Z_]+\b/g, wire === 'JSONRPC' ? toV03State : toV03ProtoState)
    .replaceAll('Omit returnImmediately', 'Set blocking to true');
}

function explain({ field, description }: FieldViolation, request: V03Request): FieldViolation {
  const { wire, operation, given } = request;
  const name = toV03FieldName(wire, operation, field);
  const message = asObject(asObject(given)['message'] ?? asObject(given)['request']);
  const part = PART.exec(field)?.[1];
  // Other rules about a part are not about its shape, and their words are those of 0.3 already.
  const malformed = part && given !== undefined && explainPart(wire, message, Number(part), name);
  if (malformed) return malformed;
  if (part && description.startsWith(ONE_CONTENT)) {
    return { field: name, description: 'expected exactly one of text, file and data' };
  }
  if (name === 'message.content' && message['content'] === undefined && message['parts'] !== undefined) {
    return {
      field: name,
      description: 'expected an array, found nothing; only JSON-RPC calls this field parts',
    };
  }
  if (name === 'pushNotificationConfigId' && asObject(given)[name] === undefined) {
    // If omitted, it is the ID of the task.
    return { field: 'id', description };
  }
  return { field: name, description: inV03Words(description, wire) };
}

/** What is wrong with the shape of a part. Undefined if nothing is. */
function explainPart(
  wire: V03Wire,
  { parts, content }: Readonly<Record<string, unknown>>,
  index: number,
  name: string,
): FieldViolation | undefined {
  return wire === 'JSONRPC'
    ? v03PartViolation(elementOf(parts, index), name)
    : v03ProtoPartViolation(elementOf(content, index), name);
}

function elementOf(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined;
}

function withoutDuplicates(violations: readonly FieldViolation[]): FieldViolation[] {
  return violations.filter(
    ({ field, description }, index) =>
      violations.findIndex((other) => other.field === field && other.description === description) === index,
  );
}

/** The binding of a 0.3 request. Each binding has different names for some fields of 1.0. */
type V03Wire = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

type Renaming = readonly (readonly [core: RegExp, v03: string])[];

const JSON_NAMES: Renaming = [
  [/^(message\.parts\[\d+\])\.raw$/, '$1.file.bytes'],
  [/^(message\.parts\[\d+\])\.url$/, '$1.file.uri'],
  [/^(message\.parts\[\d+\])\.mediaType$/, '$1.file.mimeType'],
  [/^(message\.parts\[\d+\])\.filename$/, '$1.file.name'],
  [/^configuration\.returnImmediately$/, 'configuration.blocking'],
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotificationConfig'],
  [/\bauthentication\.scheme$/, 'authentication.schemes[0]'],
];

/** The JSON names of the package `a2a.v1`, also used for gRPC, whose fields have no other textual form. */
const PROTO_NAMES: Renaming = [
  [/^(message\.parts\[\d+\])\.raw$/, '$1.file.fileWithBytes'],
  [/^(message\.parts\[\d+\])\.url$/, '$1.file.fileWithUri'],
  [/^(message\.parts\[\d+\])\.mediaType$/, '$1.file.mimeType'],
  [/^(message\.parts\[\d+\])\.filename$/, '$1.file.name'],
  [/^message\.parts\b/, 'message.content'],
  [/^configuration\.returnImmediately$/, 'configuration.blocking'],
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotification'],
  [/\bauthentication\.scheme$/, 'authentication.schemes[0]'],
];

const NAMES: Record<V03Wire, Renaming> = {
  JSONRPC: JSON_NAMES,
  'HTTP+JSON': PROTO_NAMES,
  GRPC: PROTO_NAMES,
};

/** The path of the configuration in 0.3; in 1.0 it is the request itself. */
const NESTED_CONFIG: Record<V03Wire, string> = {
  JSONRPC: 'pushNotificationConfig',
  'HTTP+JSON': 'pushNotificationConfig',
  GRPC: 'config.pushNotificationConfig',
};

/** Converts the path of a field of a 1.0 request, such as `message.parts[0].raw`, to 0.3. */
function toV03FieldName(wire: V03Wire, operation: OperationName, field: string): string {
  const renamed = NAMES[wire].reduce((name, [core, v03]) => name.replace(core, v03), field);
  switch (OPERATIONS[operation].requestKind) {
    case 'pushConfig':
      return field === 'taskId' || field === '' ? field : `${NESTED_CONFIG[wire]}.${renamed}`;
    case 'pushConfigKey':
      return wire === 'JSONRPC' ? toV03ConfigKey(field) : field;
    case 'send':
    case 'task':
    case 'tasks':
    case 'card':
    default:
      return renamed;
  }
}

function toV03ConfigKey(field: string): string {
  if (field === 'taskId') return 'id';
  return field === 'id' ? 'pushNotificationConfigId' : field;
}

/** Why the 0.3 part at `field` has no valid content. Undefined if it has. */
function v03PartViolation(part: unknown, field: string): FieldViolation | undefined {
  if (!isObject(part)) return expectedObject(field, part);
  const { kind, text, file, data, metadata } = part;
  switch (kind) {
    case 'text':
      return isGiven(text)
        ? undefined
        : { field: `${field}.text`, description: `expected a string, found ${describeValue(text)}` };
    case 'data':
      if (!isGiven(data)) return expectedObject(`${field}.data`, data);
      return asObject(metadata)[WRAPPED_DATA] === true && asObject(data)['value'] === undefined
        ? { field: `${field}.data.value`, description: 'expected a value, found nothing' }
        : undefined;
    case 'file':
      return fileViolation(file, `${field}.file`, ['bytes', 'uri']);
    default:
      return {
        field: `${field}.kind`,
        description: `expected kind text, file or data, found ${describeValue(kind)}`,
      };
  }
}

/** The same for the ProtoJSON of 0.3, whose parts have no `kind`. */
function v03ProtoPartViolation(part: unknown, field: string): FieldViolation | undefined {
  if (!isObject(part)) return expectedObject(field, part);
  const { text, file, data } = part;
  if (file !== undefined) return fileViolation(file, `${field}.file`, ['fileWithBytes', 'fileWithUri']);
  if (data !== undefined) {
    if (!isObject(data)) return expectedObject(`${field}.data`, data);
    return isGiven(data['data']) ? undefined : expectedObject(`${field}.data.data`, data['data']);
  }
  if (isGiven(text)) return undefined;
  return { field, description: `expected exactly one of text, file and data, found ${describeValue(part)}` };
}

function fileViolation(
  file: unknown,
  field: string,
  contents: readonly [string, string],
): FieldViolation | undefined {
  if (!isObject(file)) return expectedObject(field, file);
  if (contents.filter((name) => isGiven(file[name])).length === 1) return undefined;
  return {
    field,
    description: `expected exactly one of ${contents.join(' and ')}, found ${describeValue(file)}`,
  };
}

/** A field that is null counts as omitted. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function expectedObject(field: string, found: unknown): FieldViolation {
  return { field, description: `expected an object, found ${describeValue(found)}` };
}
