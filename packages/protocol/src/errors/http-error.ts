import { errorDetails, type ErrorDetail } from './error-details.ts';
import { ERROR_TABLE } from './error-table.ts';
import { toPublicError } from './public-error.ts';

/** Metadata with the verbs that a path supports; it turns METHOD_NOT_FOUND into HTTP 405 with an Allow header. */
export const ALLOWED_VERBS_METADATA = 'allowedVerbs';

/** An error response of the HTTP+JSON binding. The body has the shape of a google.rpc.Status. */
export interface HttpError {
  status: number;
  headers: Record<string, string>;
  body: { error: { code: number; status: string; message: string; details: ErrorDetail[] } };
}

export function toHttpError(error: unknown): HttpError {
  const known = toPublicError(error);
  const { http, grpc } = ERROR_TABLE[known.code];
  const allowedVerbs = known.metadata[ALLOWED_VERBS_METADATA];
  const status = allowedVerbs === undefined ? http : 405;
  return {
    status,
    headers: {
      ...(allowedVerbs !== undefined && { allow: allowedVerbs }),
      ...(known.retryAfterSeconds !== undefined && {
        'retry-after': String(Math.ceil(known.retryAfterSeconds)),
      }),
    },
    body: { error: { code: status, status: grpc, message: known.message, details: errorDetails(known) } },
  };
}
