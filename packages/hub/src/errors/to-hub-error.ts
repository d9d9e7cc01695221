import { isA2AError, type A2AErrorCode } from '@holdword/protocol';
import type { HubErrorCode } from './error-codes.ts';
import { HubError } from './hub-error.ts';

/** The hub's codes for A2A errors; all others get the default code. */
const CODES: Partial<Record<A2AErrorCode, HubErrorCode>> = {
  PARSE_ERROR: 'DELX-A2A-1000',
  CONTENT_TYPE_NOT_SUPPORTED: 'DELX-A2A-1000',
  INVALID_REQUEST: 'DELX-A2A-1001',
  METHOD_NOT_FOUND: 'DELX-A2A-1002',
  INVALID_PARAMS: 'DELX-A2A-1004',
  TASK_NOT_FOUND: 'DELX-A2A-1011',
  TASK_NOT_CANCELABLE: 'DELX-A2A-1012',
  UNAUTHENTICATED: 'DELX-A2A-1401',
  INTERNAL: 'DELX-A2A-1500',
};

/** Errors that HTTP clients and proxies act on keep their status. */
const STATUSES: Partial<Record<A2AErrorCode, number>> = {
  PERMISSION_DENIED: 403,
  REQUEST_TOO_LARGE: 413,
  RESOURCE_EXHAUSTED: 429,
};

/** Converts an error to what a caller of the hub may see. Details of internal errors are not exposed. */
export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error;
  if (!isA2AError(error)) {
    return new HubError('DELX-A2A-1500', 'Internal error while handling a request.', {
      hint: 'Try again. If the error persists, contact the operator of this hub.',
      cause: error,
    });
  }
  const httpStatus = STATUSES[error.code];
  return new HubError(CODES[error.code] ?? 'DELX-A2A-1099', error.message, {
    ...(error.fields.length > 0 && { details: { fields: error.fields } }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(error.retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
      hint: `Try again in ${error.retryAfterSeconds} s.`,
    }),
    cause: error,
  });
}
