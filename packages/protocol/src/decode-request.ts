import type { z } from 'zod';
import { describeIssue, formatPath } from './describe-issue.ts';
import { A2AError, type FieldViolation } from './errors/a2a-error.ts';
import { safeParse } from './safe-parse.ts';
import { withoutNulls } from './without-nulls.ts';

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
  return new A2AError('INVALID_PARAMS', `Invalid parameters. ${named.join('; ')}.`, {
    fields: fields.slice(0, MOST_FIELDS),
  });
}
