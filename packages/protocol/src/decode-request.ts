import type { z } from 'zod';
import { describeIssue, formatPath } from './describe-issue.ts';
import { A2AError, type FieldViolation } from './errors/a2a-error.ts';
import { safeParse } from './safe-parse.ts';
import { withoutNulls } from './without-nulls.ts';

const FIELDS_IN_MESSAGE = 3;
/** Enough to mend a request by; a header of gRPC, which carries them too, has room for little more. */
const MOST_FIELDS = 20;

/**
 * Accepts a request or refuses it as INVALID_PARAMS, naming each wrong field. Fields the schema does not know are
 * dropped.
 */
export function decodeRequest<Request>(schema: z.ZodType<Request>, value: unknown): Request {
  const result = safeParse(schema, value);
  if (result.success) return result.data;

  // Nulls are looked for only now: almost no request holds one, and the walk costs more than the check.
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

/** The error for fields that are not as expected; its message names the first few. */
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
