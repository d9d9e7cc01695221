import { invalidFields } from '../decode-request.ts';
import { describeValue } from '../describe-issues.ts';
import { A2AError, isA2AError, type FieldViolation } from '../errors/a2a-error.ts';
import { asObject, isObject } from '../basics/json.ts';
import { OPERATIONS, type OperationName } from '../operations.ts';

/** A request as it was received. */
interface V03Request {
  readonly wire: V03Wire;
  readonly operation: OperationName;
  /** Parameters or body. Absent if only the converted request is available. */
  readonly given?: unknown;
}

const PART = /^message\.parts\[(\d+)\]$/;

/**
 * Converts the field names in an error to those of 0.3. Requests of 0.3 are validated by the schemas and operations of 1.0,
 * which only know the names of 1.0, so their errors are translated for the caller.
 */
export function coreErrorToV03(error: unknown, request: V03Request): unknown {
  if (!isA2AError(error) || error.fields.length === 0) return error;
  const fields = withoutDuplicates(error.fields.map((violation) => explain(violation, request)));
  const listed = invalidFields(fields);
  // A message that lists the fields is rebuilt; any other message is kept.
  if (error.message === invalidFields([...error.fields]).message) return listed;
  const { code, message, metadata, retryAfterSeconds, cause } = error;
  return new A2AError(code, message, {
    fields,
    metadata,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(cause !== undefined && { cause }),
  });
}

function explain({ field, description }: FieldViolation, request: V03Request): FieldViolation {
  const { wire, operation, given } = request;
  const name = toV03FieldName(wire, operation, field);
  const message = asObject(asObject(given)['message'] ?? asObject(given)['request']);
  const part = PART.exec(field)?.[1];
  if (part !== undefined) return explainPart(wire, message, Number(part), name);
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
  return { field: name, description };
}

function explainPart(
  wire: V03Wire,
  { parts, content }: Readonly<Record<string, unknown>>,
  index: number,
  name: string,
): FieldViolation {
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

/** Why the 0.3 part at `field` has no valid content. */
function v03PartViolation(part: unknown, field: string): FieldViolation {
  if (!isObject(part)) return expectedObject(field, part);
  const { kind, text, file, data } = part;
  switch (kind) {
    case 'text':
      return { field: `${field}.text`, description: `expected a string, found ${describeValue(text)}` };
    case 'data':
      return expectedObject(`${field}.data`, data);
    case 'file':
      return fileViolation(file, `${field}.file`, 'bytes and uri');
    default:
      return {
        field: `${field}.kind`,
        description: `expected kind text, file or data, found ${describeValue(kind)}`,
      };
  }
}

/** The same for the ProtoJSON of 0.3, whose parts have no `kind`. */
function v03ProtoPartViolation(part: unknown, field: string): FieldViolation {
  if (!isObject(part)) return expectedObject(field, part);
  const { file, data } = part;
  if (file !== undefined) return fileViolation(file, `${field}.file`, 'fileWithBytes and fileWithUri');
  if (data !== undefined) {
    return isObject(data)
      ? expectedObject(`${field}.data.data`, asObject(data)['data'])
      : expectedObject(`${field}.data`, data);
  }
  return { field, description: `expected exactly one of text, file and data, found ${describeValue(part)}` };
}

function fileViolation(file: unknown, field: string, contents: string): FieldViolation {
  if (!isObject(file)) return expectedObject(field, file);
  return { field, description: `expected exactly one of ${contents}, found ${describeValue(file)}` };
}

function expectedObject(field: string, found: unknown): FieldViolation {
  return { field, description: `expected an object, found ${describeValue(found)}` };
}
