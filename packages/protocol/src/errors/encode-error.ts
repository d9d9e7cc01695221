import {
  ERROR_TABLE,
  toPublicError,
  type A2AError,
  type A2AErrorCode,
  type FieldViolation,
} from './a2a-error.ts';

/** The `error` member of a JSON-RPC response. */
export interface JsonRpcError {
  code: number;
  message: string;
  data: ErrorDetail[];
}

export function toJsonRpcError(error: unknown): JsonRpcError {
  const known = toPublicError(error);
  return { code: ERROR_TABLE[known.code].jsonRpc, message: known.message, data: errorDetails(known) };
}

/** The name of an error in the texts of the specification, such as `TaskNotFoundError`. */
export function specErrorName(code: A2AErrorCode): string {
  if (code === 'PARSE_ERROR') return 'JSONParseError';
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Error`;
}

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

export const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo';
export const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest';
export const RETRY_INFO_TYPE = 'type.googleapis.com/google.rpc.RetryInfo';

const A2A_DOMAIN = 'a2a-protocol.org';
const OWN_DOMAIN = 'holdword';

const OWN_CODES: ReadonlySet<A2AErrorCode> = new Set([
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'IDEMPOTENCY_CONFLICT',
  'RESOURCE_EXHAUSTED',
  'REQUEST_TOO_LARGE',
  'UNAVAILABLE',
]);

/** One machine-readable detail of an error, in the JSON form of google.rpc's error details. */
export type ErrorDetail =
  | {
      '@type': typeof ERROR_INFO_TYPE;
      reason: A2AErrorCode;
      domain: string;
      metadata?: Readonly<Record<string, string>>;
    }
  | { '@type': typeof BAD_REQUEST_TYPE; fieldViolations: readonly FieldViolation[] }
  | { '@type': typeof RETRY_INFO_TYPE; retryDelay: string };

/** The details of an error, the same for every binding: its reason and domain, invalid fields, when to retry. */
export function errorDetails(error: A2AError): ErrorDetail[] {
  const details: ErrorDetail[] = [
    {
      '@type': ERROR_INFO_TYPE,
      reason: error.code,
      domain: OWN_CODES.has(error.code) ? OWN_DOMAIN : A2A_DOMAIN,
      ...(Object.keys(error.metadata).length > 0 && { metadata: error.metadata }),
    },
  ];
  if (error.fields.length > 0) details.push({ '@type': BAD_REQUEST_TYPE, fieldViolations: error.fields });
  if (error.retryAfterSeconds !== undefined) {
    details.push({ '@type': RETRY_INFO_TYPE, retryDelay: `${error.retryAfterSeconds}s` });
  }
  return details;
}
