import type { FuzzRequest } from './http-requests.ts';

export interface FuzzResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What is wrong with a response; undefined if its binding allows it. */
export function problemOf(request: FuzzRequest, response: FuzzResponse): string | undefined {
  const { status, contentType, body } = response;
  if (status >= 500) return `status ${status}`;
  if (contentType.startsWith('text/event-stream')) return undefined;
  // Node itself responds without a body if the headers are not valid HTTP.
  if ((status === 400 || status === 431) && contentType === '' && body === '') return undefined;
  const value = parse(body);
  if (typeof value !== 'object' || value === null) return 'the body is not a JSON object';
  if (request.binding === 'JSON-RPC' && !('error' in value && isHttpError(value.error))) {
    return jsonRpcProblem(value);
  }
  return status < 400 ? undefined : errorProblem(value);
}

/** Paths and verbs outside of JSON-RPC get the error format of the rest of the server. */
function isHttpError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error;
}

function jsonRpcProblem(value: object): string | undefined {
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0' || !('id' in value)) return 'no JSON-RPC envelope';
  if ('result' in value) return undefined;
  return 'error' in value ? errorProblem(value.error) : 'neither result nor error';
}

/** Errors of 1.0 are wrapped in `error`, those of 0.3 are not. */
function errorProblem(value: unknown): string | undefined {
  const error: unknown =
    typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    return 'an error without code or message';
  if (typeof error.code !== 'number' || typeof error.message !== 'string' || error.message === '')
    return 'an error whose code or message has the wrong type';
  if (error.code === -32603) return 'an internal error';
  return / at .*:\d+:\d+|node_modules|\/src\//.test(error.message)
    ? 'an error that leaks internals'
    : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
