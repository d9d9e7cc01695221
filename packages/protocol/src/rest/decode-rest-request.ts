import { invalidFields } from '../decode-request.ts';
import { describeValue } from '../describe-issue.ts';
import { A2AError, type FieldViolation } from '../errors/a2a-error.ts';
import { decodeOperation, type DecodedOperation } from '../operation-table.ts';
import { decodeQuery } from './decode-query.ts';
import type { RestMatch } from './match-route.ts';

/**
 * Decodes a request of the HTTP+JSON binding of 1.0. `body` is the text of a POST request, or empty; the query is used for
 * requests without a body.
 */
export function decodeRestRequest(match: RestMatch, query: URLSearchParams, body: string): DecodedOperation {
  const given = body === '' ? decodeQuery(match.operation, query) : decodeBody(body);
  return decodeOperation(match.operation, withPathFields(match.fields, given));
}

function decodeBody(body: string): object {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The request body is not valid JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new A2AError('INVALID_PARAMS', 'The request body must be a JSON object.');
}

/** The path identifies the resource; a body that identifies a different one is rejected. */
function withPathFields(pathFields: Record<string, string>, given: object): object {
  const violations: FieldViolation[] = [];
  for (const [field, inPath] of Object.entries(pathFields)) {
    const inBody: unknown = Reflect.get(given, field);
    if (inBody === undefined || inBody === null || inBody === '' || inBody === inPath) continue;
    violations.push({
      field,
      description: `expected ${JSON.stringify(inPath)} as in the path, found ${describeValue(inBody)}`,
    });
  }
  if (violations.length > 0) throw invalidFields(violations);
  return { ...given, ...pathFields };
}
