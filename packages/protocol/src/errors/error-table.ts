/**
 * Every error a caller can get, with its code in each binding. `retry` says whether the same request may succeed later
 * without a change.
 */
export const ERROR_TABLE = {
  TASK_NOT_FOUND: { jsonRpc: -32001, http: 404, grpc: 'NOT_FOUND', retry: false },
  TASK_NOT_CANCELABLE: { jsonRpc: -32002, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { jsonRpc: -32003, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  UNSUPPORTED_OPERATION: { jsonRpc: -32004, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  CONTENT_TYPE_NOT_SUPPORTED: { jsonRpc: -32005, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INVALID_AGENT_RESPONSE: { jsonRpc: -32006, http: 500, grpc: 'INTERNAL', retry: false },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    jsonRpc: -32007,
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    retry: false,
  },
  EXTENSION_SUPPORT_REQUIRED: { jsonRpc: -32008, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  VERSION_NOT_SUPPORTED: { jsonRpc: -32009, http: 400, grpc: 'FAILED_PRECONDITION', retry: false },
  PARSE_ERROR: { jsonRpc: -32700, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INVALID_REQUEST: { jsonRpc: -32600, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  METHOD_NOT_FOUND: { jsonRpc: -32601, http: 404, grpc: 'UNIMPLEMENTED', retry: false },
  INVALID_PARAMS: { jsonRpc: -32602, http: 400, grpc: 'INVALID_ARGUMENT', retry: false },
  INTERNAL: { jsonRpc: -32603, http: 500, grpc: 'INTERNAL', retry: true },
  // Ours: JSON-RPC leaves -32000 to -32099 to servers, and A2A assigns its codes from -32001 downwards.
  UNAUTHENTICATED: { jsonRpc: -32090, http: 401, grpc: 'UNAUTHENTICATED', retry: false },
  PERMISSION_DENIED: { jsonRpc: -32091, http: 403, grpc: 'PERMISSION_DENIED', retry: false },
  IDEMPOTENCY_CONFLICT: { jsonRpc: -32092, http: 409, grpc: 'ALREADY_EXISTS', retry: false },
  RESOURCE_EXHAUSTED: { jsonRpc: -32093, http: 429, grpc: 'RESOURCE_EXHAUSTED', retry: true },
  REQUEST_TOO_LARGE: { jsonRpc: -32094, http: 413, grpc: 'RESOURCE_EXHAUSTED', retry: false },
  UNAVAILABLE: { jsonRpc: -32095, http: 503, grpc: 'UNAVAILABLE', retry: true },
} as const;

/** The code of an error, the same in every binding. */
export type A2AErrorCode = keyof typeof ERROR_TABLE;

/** The error code for a JSON-RPC code. */
export function errorCodeOfJsonRpc(jsonRpcCode: number): A2AErrorCode | undefined {
  return Object.keys(ERROR_TABLE)
    .filter(isErrorCode)
    .find((code) => ERROR_TABLE[code].jsonRpc === jsonRpcCode);
}

export function isErrorCode(code: string): code is A2AErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
