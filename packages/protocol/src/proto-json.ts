import { z } from 'zod';
import { isObject, itemSchemaOf, type JsonObject } from './basics/json.ts';
import { shorten } from './basics/shorten.ts';
import { invalidFields } from './decode-request.ts';
import { formatPath } from './describe-issues.ts';
import type { FieldViolation } from './errors/a2a-error.ts';
import { editDistance } from './nearest-name.ts';

/*
 * What ProtoJSON allows a client to write and the schemas do not know: proto names of fields (`task_id`), numbers of enums,
 * numbers as strings. The schemas see one form only.
 */

/** How a request treats fields that it does not have. */
export type UnknownFields =
  /** Clients of later versions may send them (spec 5.7). One that is nearly the name of a field is a mistake. */
  | 'ignore'
  /** For filters: without the one that was meant, the answer has what the client wanted to exclude. */
  | 'reject';

type Path = readonly (string | number)[];

interface Reading {
  readonly unknownFields: UnknownFields;
  readonly violations: FieldViolation[];
}

/** The request in the form of its schema; the value itself if nothing has to change. Throws INVALID_PARAMS. */
export function readProtoJson(
  schema: z.ZodType,
  value: unknown,
  unknownFields: UnknownFields = 'ignore',
): unknown {
  const reading: Reading = { unknownFields, violations: [] };
  const read = readValue(schema, value, [], reading);
  if (reading.violations.length > 0) throw invalidFields(reading.violations);
  return read;
}

function readValue(schema: z.core.$ZodType, value: unknown, path: Path, reading: Reading): unknown {
  if (schema instanceof z.ZodOptional) return readValue(schema.unwrap(), value, path, reading);
  if (schema instanceof z.ZodObject)
    return isObject(value) ? readObject(schema, value, path, reading) : value;
  if (schema instanceof z.ZodEnum) return readEnum(schema, value);
  if (schema instanceof z.ZodNumber) return readNumber(value);
  const items = itemSchemaOf(schema);
  return items === undefined ? value : readList(items, value, path, reading);
}

function readList(items: z.core.$ZodType, value: unknown, path: Path, reading: Reading): unknown {
  if (!Array.isArray(value)) return value;
  const read = value.map((item, index) => readValue(items, item, [...path, index], reading));
  return read.some((item, index) => item !== value[index]) ? read : value;
}

function readObject(schema: z.ZodObject, value: JsonObject, path: Path, reading: Reading): JsonObject {
  const { shape } = schema;
  let changed = false;
  const fields: JsonObject = {};
  for (const [given, content] of Object.entries(value)) {
    const name = fieldNamed(given, shape);
    const fieldSchema = name === undefined ? undefined : shape[name];
    if (name === undefined || fieldSchema === undefined) {
      const problem = unknownField(given, shape, path.length === 0 ? reading.unknownFields : 'ignore');
      if (problem !== undefined) {
        reading.violations.push({ field: formatPath([...path, shorten(given, 60)]), description: problem });
      }
      fields[given] = content;
      continue;
    }
    const read = readValue(fieldSchema, content, [...path, name], reading);
    if (name !== given && isGiven(value[name]) && value[name] !== content) {
      const description = `expected one value, found ${JSON.stringify(given)} with a different one`;
      reading.violations.push({ field: formatPath([...path, name]), description });
    }
    changed ||= read !== content || name !== given;
    if (name === given || !isGiven(value[name])) fields[name] = read;
  }
  return changed ? fields : value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The field that a JSON or proto name means: `historyLength`, `history_length`. */
export function fieldNamed(given: string, shape: z.core.$ZodShape): string | undefined {
  if (Object.hasOwn(shape, given)) return given;
  const name = jsonName(given);
  return Object.hasOwn(shape, name) ? name : undefined;
}

/** The JSON name of a field from its proto name: `historyLength` from `history_length`. */
export function jsonName(protoName: string): string {
  return protoName.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Longer names are never the typo of one that we know. */
const LONGEST_NAME = 40;

/** What is wrong with a field that the request does not have; undefined if it may be ignored. */
export function unknownField(
  given: string,
  shape: z.core.$ZodShape,
  unknownFields: UnknownFields,
): string | undefined {
  const meant =
    given.length > LONGEST_NAME ? undefined : Object.keys(shape).find((name) => isTypoOf(given, name));
  if (meant !== undefined) return `unknown field; did you mean ${meant}?`;
  return unknownFields === 'reject'
    ? `unknown field; the fields of this request are ${Object.keys(shape).join(', ')}`
    : undefined;
}

/** Other letter cases and separators, or one wrong letter in a name that is long enough to tell. */
function isTypoOf(given: string, name: string): boolean {
  const [left, right] = [given, name].map((text) => text.toLowerCase().replaceAll(/[_-]/g, ''));
  if (left === undefined || right === undefined) return false;
  return left === right || (right.length >= 6 && editDistance(left, right) === 1);
}

/** The values of our enums are in the order of their proto numbers, without the unspecified value 0. */
function readEnum({ options }: z.ZodEnum, value: unknown): unknown {
  if (value === 0 || (typeof value === 'string' && /^[A-Z_]{1,40}_UNSPECIFIED$/.test(value)))
    return undefined;
  return typeof value === 'number' && Number.isInteger(value) ? (options[value - 1] ?? value) : value;
}

const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
}
