import { isObject, type JsonObject } from '../../model/json.ts';

/** Fields with arbitrary content. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['metadata', 'data', 'params']);

/** Fields whose ProtoJSON name differs from the SDK's. */
const JSON_NAMES: Readonly<Record<string, string>> = { update: 'message', msg: 'message' };

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  state: [
    'TASK_STATE_UNSPECIFIED',
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELLED',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_REJECTED',
    'TASK_STATE_AUTH_REQUIRED',
  ],
  role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
};

/**
 * Converts an object of the SDK's codecs for the package `a2a.v1` to ProtoJSON, the wire format of the REST binding of 0.3:
 * a oneof under the name of its case, enums by name, bytes in base64. The SDK does not export such a codec.
 */
export function v03MessageToProtoJson(message: object): JsonObject {
  const json: JsonObject = {};
  for (const [field, value] of Object.entries(message)) {
    if (isChoice(value)) json[JSON_NAMES[value.$case] ?? value.$case] = toJson(value.value);
    else if (FOREIGN_FIELDS.has(field)) json[field] = value;
    else if (typeof value === 'number' && ENUMS[field] !== undefined) json[field] = ENUMS[field][value];
    else if (value !== undefined && value !== '') json[JSON_NAMES[field] ?? field] = toJson(value);
  }
  return json;
}

function toJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  return isObject(value) ? v03MessageToProtoJson(value) : value;
}

function isChoice(value: unknown): value is { $case: string; value: unknown } {
  return isObject(value) && typeof value['$case'] === 'string';
}
