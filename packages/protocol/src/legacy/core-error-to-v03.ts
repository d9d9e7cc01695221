import { invalidFields } from '../decode-request.ts';
import { A2AError, isA2AError, type FieldViolation } from '../errors/a2a-error.ts';
import { asObject } from '../model/json.ts';
import type { OperationName } from '../operation-table.ts';
import { toV03FieldName, type V03Wire } from './v03-field-names.ts';
import { v03PartViolation, v03ProtoPartViolation } from './v03-part-violation.ts';

/** A request as it was received. */
export interface V03Request {
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
