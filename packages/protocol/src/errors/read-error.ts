import { shorten } from '../basics/shorten.ts';
import {
  A2AError,
  ERROR_TABLE,
  errorCodeOfJsonRpc,
  isA2AError,
  isErrorCode,
  type A2AErrorCode,
  type A2AErrorOptions,
  type FieldViolation,
} from './a2a-error.ts';
import { BAD_REQUEST_TYPE, ERROR_INFO_TYPE, RETRY_INFO_TYPE, specErrorName } from './encode-error.ts';

/*
 * Decodes the error responses of other agents into an A2AError. Untrusted texts are truncated and never interpreted.
 */

const LONGEST_MESSAGE = 1000;

/** Errors whose message has text of another agent, or consists of nothing else. */
const REMOTE_TEXT = new WeakMap<Error, 'some' | 'all'>();

/** Marks an error whose message has text of another agent. In a sentence of ours, quote that text with `quoteRemoteText`. */
export function withRemoteText<Failure extends Error>(
  error: Failure,
  extent: 'some' | 'all' = 'some',
): Failure {
  REMOTE_TEXT.set(error, extent);
  return error;
}

/** Whether the message of an error has text of another agent: its own, or that of its cause. */
export function hasRemoteText(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, cause } = error;
  if (REMOTE_TEXT.has(error)) return true;
  if (!(cause instanceof Error) || !hasRemoteText(cause)) return false;
  return message.includes(cause.message) || message.includes(quoteRemoteText(cause.message));
}

/**
 * Text of another agent within a sentence of ours: in quotes that it cannot close, on one line, and without stack traces. Readers,
 * models above all, must be able to tell who is speaking.
 */
export function quoteRemoteText(text: string, longest = LONGEST_MESSAGE): string {
  const line = shorten(text, longest)
    .replaceAll(/\n[ \t]+at [^\n]*/g, '')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/["“”„‟«»＂]/g, "'");
  return `"${line.trim()}"`;
}

/** The quoted message of an error that another agent wrote; undefined if its message is ours. */
export function quotedRemoteMessage(error: Error): string | undefined {
  return REMOTE_TEXT.get(error) === 'all' ? quoteRemoteText(error.message) : undefined;
}

/** The message of an error as a sentence of ours: what another agent wrote is quoted. */
export function quotedMessage(error: Error): string {
  const quoted = quotedRemoteMessage(error);
  if (quoted === undefined) return error.message;
  return `The agent answered with the error ${isA2AError(error) ? error.code : error.name}: ${quoted}.`;
}

/** The same error with another time to wait. */
export function withRetryAfter(error: A2AError, retryAfterSeconds: number): A2AError {
  const { code, message, fields, metadata, cause } = error;
  const copy = new A2AError(code, message, {
    fields: [...fields],
    metadata: { ...metadata },
    retryAfterSeconds,
    cause,
  });
  const extent = REMOTE_TEXT.get(error);
  return extent === undefined ? copy : withRemoteText(copy, extent);
}

/** The error code for an HTTP status, if the body has none. */
const CODES_OF_HTTP: Readonly<Record<number, A2AErrorCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'METHOD_NOT_FOUND',
  405: 'METHOD_NOT_FOUND',
  409: 'IDEMPOTENCY_CONFLICT',
  413: 'REQUEST_TOO_LARGE',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

/** The error code for a gRPC status, if the details have none. */
const CODES_OF_GRPC: Readonly<Record<number, A2AErrorCode>> = {
  3: 'INVALID_PARAMS',
  5: 'TASK_NOT_FOUND',
  6: 'IDEMPOTENCY_CONFLICT',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'UNSUPPORTED_OPERATION',
  10: 'TASK_GENERATION_MISMATCH',
  12: 'METHOD_NOT_FOUND',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
};

/** Decodes the `error` member of a JSON-RPC response, or the body of an error in 0.3 over REST. */
export function readJsonRpcError(value: unknown, retryAfterSeconds?: number): A2AError {
  const { code, message, data } = fieldsOf(value);
  const details = readDetails(data);
  const known = typeof code === 'number' ? errorCodeOfJsonRpc(code) : undefined;
  return makeError(
    details.code ?? known ?? 'INTERNAL',
    message,
    { ...details, cause: value },
    retryAfterSeconds,
  );
}

/** Operations that fail with a missing task; a server that does not have them at all responds with another body. */
const TASK_OPERATIONS = /^(?:get|cancel|subscribeTo)Task|PushNotificationConfigs?$/;

/**
 * Decodes an HTTP error response from its status and body, which may be anything. Servers of 0.3 send errors that only mean
 * something together with the operation, or have the name of a class, as `io.a2a.spec.TaskNotFoundError` of the official Java SDK.
 */
export function readHttpError(
  status: number,
  body: string,
  retryAfterSeconds?: number,
  operation = '',
): A2AError {
  const parsed = parseJson(body);
  const error = fieldsOf(parsed)['error'] ?? parsed;
  const { code, message, details: list } = fieldsOf(error);
  if (typeof code === 'number' && code < 0) return readJsonRpcError(error, retryAfterSeconds);
  const details = readDetails(list);
  const byStatus =
    codeOfBareError(status, message, operation) ??
    CODES_OF_HTTP[status] ??
    (status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST');
  const responded = `The agent responded with HTTP status ${status}`;
  if (typeof code === 'number') {
    return makeError(details.code ?? byStatus, message, details, retryAfterSeconds, `${responded}.`);
  }
  const named = typeof error === 'string' ? codeNamedBy(error.slice(error.lastIndexOf('.') + 1)) : undefined;
  if (named !== undefined) {
    return makeError(named, fieldsOf(parsed)['message'], details, retryAfterSeconds, `${responded}.`);
  }
  // Servers that do not speak A2A respond with `{ "error": "what happened" }`.
  const given = textOf(error) || textOf(message);
  const otherwise = given === '' ? `${responded}.` : `${responded}: ${quoteRemoteText(given)}.`;
  const failure = makeError(details.code ?? byStatus, '', details, retryAfterSeconds, otherwise);
  return given === '' ? failure : withRemoteText(failure);
}

/** The code of an error whose body is a message alone, as the official Python SDK sends it in 0.3. */
function codeOfBareError(status: number, message: unknown, operation: string): A2AErrorCode | undefined {
  if (typeof message !== 'string') return undefined;
  if (status === 404 && TASK_OPERATIONS.test(operation)) return 'TASK_NOT_FOUND';
  return status === 409 && operation === 'cancelTask' ? 'TASK_NOT_CANCELABLE' : undefined;
}

/**
 * Decodes a gRPC error from its status and the details in its trailer. Servers of 0.3 write its name before the message, or
 * leave it to the operation what the status means.
 */
export function readGrpcError(
  status: number,
  message: string,
  details: readonly unknown[],
  operation?: string,
): A2AError {
  const read = readDetails(details);
  const named = codeNamedIn(message);
  const text = named === undefined ? message : message.slice(specErrorName(named).length + 2);
  const byStatus = status === 9 && operation === 'cancelTask' ? 'TASK_NOT_CANCELABLE' : CODES_OF_GRPC[status];
  return makeError(read.code ?? named ?? byStatus ?? 'INTERNAL', text, read);
}

function codeNamedIn(message: string): A2AErrorCode | undefined {
  const end = message.indexOf(': ');
  return end === -1 ? undefined : codeNamedBy(message.slice(0, end));
}

/** The code that the specification gives a name, such as `TaskNotFoundError`. */
function codeNamedBy(name: string): A2AErrorCode | undefined {
  return Object.keys(ERROR_TABLE)
    .filter(isErrorCode)
    .find((code) => specErrorName(code) === name);
}

interface ReadDetails {
  code?: A2AErrorCode;
  metadata?: Record<string, string>;
  fields?: FieldViolation[];
  retryAfterSeconds?: number;
  /** The error as the other agent sent it. */
  cause?: unknown;
}

function readDetails(value: unknown): ReadDetails {
  const read: ReadDetails = {};
  for (const detail of Array.isArray(value) ? value.map(fieldsOf) : []) {
    if (detail['@type'] === ERROR_INFO_TYPE) {
      const { reason, metadata } = detail;
      if (typeof reason === 'string' && isErrorCode(reason)) read.code = reason;
      read.metadata = stringsOf(metadata);
    } else if (detail['@type'] === BAD_REQUEST_TYPE) {
      const { fieldViolations } = detail;
      read.fields = (Array.isArray(fieldViolations) ? fieldViolations : []).map(readViolation);
    } else if (detail['@type'] === RETRY_INFO_TYPE) {
      const seconds = Number.parseFloat(String(detail['retryDelay']));
      if (seconds >= 0) read.retryAfterSeconds = seconds;
    }
  }
  return read;
}

function readViolation(value: unknown): FieldViolation {
  const { field, description } = fieldsOf(value);
  return { field: textOf(field), description: textOf(description) };
}

function makeError(
  code: A2AErrorCode,
  message: unknown,
  { metadata, fields, retryAfterSeconds, cause }: ReadDetails,
  retryAfterHeader?: number,
  otherwise = `The agent responded with ${code} without a message.`,
): A2AError {
  const retryAfter = retryAfterSeconds ?? retryAfterHeader;
  const options: A2AErrorOptions = {
    ...(metadata && { metadata }),
    ...(fields && { fields }),
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    ...(cause !== undefined && { cause }),
  };
  const text = textOf(message);
  return text === ''
    ? new A2AError(code, otherwise, options)
    : withRemoteText(new A2AError(code, text, options), 'all');
}

function stringsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(fieldsOf(value)).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(entries.map(([key, text]) => [key, textOf(text)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? shorten(value, LONGEST_MESSAGE) : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
