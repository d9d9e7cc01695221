import { z } from 'zod';
import { describeIssue, formatPath } from './describe-issues.ts';
import { A2AError, type FieldViolation } from './errors/a2a-error.ts';
import { PART_CONTENT_FIELDS } from './model.ts';

const FIELDS_IN_MESSAGE = 3;
/** Enough to fix a request; a gRPC trailer, which also contains them, has little more space. */
const MOST_FIELDS = 20;

/** Validates a request, or throws INVALID_PARAMS with each invalid field. Unknown fields are dropped. */
export function decodeRequest<Request>(schema: z.ZodType<Request>, value: unknown): Request {
  const result = safeParse(schema, value);
  if (result.success) return result.data;

  // Nulls are removed only now: almost no request has one, and the walk costs more than the validation.
  const cleaned = withoutNulls(value);
  if (cleaned === value) throw invalidParams(result.error.issues, value);
  const second = safeParse(schema, cleaned);
  if (second.success) return second.data;
  throw invalidParams(second.error.issues, cleaned);
}

function invalidParams(issues: readonly z.core.$ZodIssue[], value: unknown): A2AError {
  const described = issues
    .slice(0, MOST_FIELDS)
    .map((issue) => ({ field: formatPath(issue.path), description: describeIssue(issue, value) }));
  return invalidFields(described);
}

/** The error for invalid fields; its message names the first few. */
export function invalidFields(fields: FieldViolation[]): A2AError {
  const named = fields
    .slice(0, FIELDS_IN_MESSAGE)
    .map(({ field, description }) => (field === '' ? description : `${field}: ${description}`));
  const unnamed = fields.length - named.length;
  if (unnamed > 0) named.push(fields.length < MOST_FIELDS ? `and ${unnamed} more` : 'and many more');
  return new A2AError('INVALID_PARAMS', `Invalid parameters. ${withFullStop(named.join('; '))}`, {
    fields: fields.slice(0, MOST_FIELDS),
  });
}

/** A question has its own mark. */
function withFullStop(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

export type Parsed<Output> =
  { readonly success: true; readonly data: Output } | { readonly success: false; readonly error: z.ZodError };

/**
 * Validates an untrusted value; unlike the schema's own `safeParse` it never throws.
 *
 * Zod compares a length limit with any property called `length`, even if the value is neither a string nor an array. An object
 * can be crafted whose length cannot be compared: `{"length": {"toString": 1}}`.
 */
export function safeParse<Output>(schema: z.ZodType<Output>, value: unknown): Parsed<Output> {
  try {
    return schema.safeParse(value);
  } catch {
    const message = 'expected strings and arrays, found an object with an invalid length';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) };
  }
}

/** Fields with arbitrary content, in which null is a value. */
export const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['metadata', 'data']);

/**
 * Removes fields that are null, which in ProtoJSON is the same as omitting them. Returns the value itself if there is nothing
 * to remove.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    const cleaned = value.map(withoutNulls);
    return cleaned.some((element, index) => element !== value[index]) ? cleaned : value;
  }
  if (typeof value !== 'object' || value === null) return value;

  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [field, fieldValue] of Object.entries(value)) {
    if (fieldValue === null && !isNullContent(field, value)) {
      changed = true;
      continue;
    }
    const cleaned = FOREIGN_FIELDS.has(field) ? fieldValue : withoutNulls(fieldValue);
    if (cleaned !== fieldValue) changed = true;
    kept.push([field, cleaned]);
  }
  return changed ? Object.fromEntries(kept) : value;
}

/** A data part may contain null; next to other content a null `data` is an omitted field. */
function isNullContent(field: string, part: object): boolean {
  return (
    field === 'data' &&
    PART_CONTENT_FIELDS.every(
      (name) => name === 'data' || !(name in part) || Reflect.get(part, name) === null,
    )
  );
}
