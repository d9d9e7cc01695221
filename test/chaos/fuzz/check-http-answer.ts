import type { FuzzRequest } from './http-requests.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What is wrong with an answer; undefined when it is one that its binding allows. */
export function complaintOf(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, contentType, body } = answer;
  if (status >= 500) return `status ${status}`;
  if (contentType.startsWith('text/event-stream')) return undefined;
  // Node answers by itself, and without a body, where a head is not HTTP at all.
  if ((status === 400 || status === 431) && contentType === '' && body === '') return undefined;
  const value = parse(body);
  if (typeof value !== 'object' || value === null) return 'the body is not a JSON object';
  if (request.binding === 'JSON-RPC' && !('error' in value && isHttpError(value.error))) {
    return jsonRpcComplaint(value);
  }
  return status < 400 ? undefined : errorComplaint(value);
}

/** Paths and verbs that are not those of JSON-RPC are answered as the rest of the server answers. */
function isHttpError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error;
}

function jsonRpcComplaint(value: object): string | undefined {
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0' || !('id' in value)) return 'no JSON-RPC envelope';
  if ('result' in value) return undefined;
  return 'error' in value ? errorComplaint(value.error) : 'neither result nor error';
}

/** Errors of 1.0 stand under `error`, those of 0.3 are bare. */
function errorComplaint(value: unknown): string | undefined {
  const error: unknown =
    typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    return 'an error without code or message';
  if (typeof error.code !== 'number' || typeof error.message !== 'string' || error.message === '')
    return 'an error whose code or message has another type';
  if (error.code === -32603) return 'an internal error';
  return / at .*:\d+:\d+|node_modules|\/src\//.test(error.message)
    ? 'an error that tells too much'
    : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
