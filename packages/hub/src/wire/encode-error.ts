import { isA2AError, type A2AErrorCode, type JsonObject } from '@holdword/protocol';
import type { JsonRpcId } from '@holdword/protocol/internal';
import { HUB_ERROR_CODES, HubError, RestError, type HubErrorCode } from './hub-error.ts';
import type { HubLinks } from './hub-links.ts';

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
  const { fields, retryAfterSeconds: seconds } = error;
  return new HubError(CODES[error.code] ?? 'DELX-A2A-1099', error.message, {
    details: fields.length > 0 ? { fields } : undefined,
    httpStatus: STATUSES[error.code],
    ...(seconds !== undefined && {
      headers: { 'Retry-After': String(seconds) },
      hint: `Try again in ${seconds} s.`,
    }),
    cause: error,
  });
}

/** Undefined fields of the body are omitted. */
interface EncodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Encodes an error as a JSON-RPC response. */
export function toRpcAnswer(error: HubError, id: JsonRpcId, links: HubLinks): EncodedError {
  const { code, message, hint, details, httpStatus, headers } = error;
  return {
    status: httpStatus,
    headers,
    body: {
      jsonrpc: '2.0',
      id,
      error: {
        code: HUB_ERROR_CODES[code].rpc,
        message,
        data: {
          delx_code: code,
          docs: links.methods_url,
          tools_docs: links.tools_catalog_url,
          hint,
          details,
        },
      },
    },
  };
}

/** HTTP statuses of errors that JSON-RPC answers with 200. */
const REST_STATUSES: Partial<Record<HubError['code'], number>> = {
  'DELX-A2A-1004': 400,
  'DELX-A2A-1005': 400,
  'DELX-A2A-1011': 404,
  'DELX-A2A-1500': 500,
};

/** Encodes an error as a REST response. */
export function toRestAnswer(error: unknown): EncodedError {
  if (error instanceof RestError) {
    const { status, code, message, hint, headers } = error;
    return { status, headers, body: { status: 'error', error: { code, message, hint } } };
  }
  const { code, message, hint, details, httpStatus, headers } = toHubError(error);
  const status = httpStatus === 200 ? (REST_STATUSES[code] ?? 409) : httpStatus;
  return {
    status,
    headers,
    body: {
      status: 'error',
      error: { code, message, hint, details },
    },
  };
}
