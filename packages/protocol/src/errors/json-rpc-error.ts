import { errorDetails, type ErrorDetail } from './error-details.ts';
import { ERROR_TABLE } from './error-table.ts';
import { toPublicError } from './public-error.ts';

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
