import type { A2AError } from '@holdword/protocol';
import { invalidFields, parseExtensions } from '@holdword/protocol/internal';
import { readTraceContext, type TraceContext } from '../observe/tracing.ts';
import { headerValue, type RequestHeaders } from './auth/authentication.ts';

/** What a client may send in addition to the request, in HTTP header fields or gRPC metadata. */
export interface ServiceParameters {
  /** `A2A-Extensions`, or its 0.3 name `X-A2A-Extensions`. */
  readonly extensions: ReadonlySet<string>;
  /** `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** `Last-Event-ID`, or `Holdword-Resume-After` in bindings without event ids. */
  readonly resumeAfter?: number;
  /** `traceparent` and `tracestate`. */
  readonly trace?: TraceContext;
}

const NO_EXTENSIONS: ReadonlySet<string> = new Set();

export function readServiceParameters(headers: RequestHeaders): ServiceParameters {
  const idempotencyKey = readIdempotencyKey(headers);
  const resumeAfter = readResumeAfter(headers);
  const trace = readTraceContext(headerValue(headers, 'traceparent'), headerValue(headers, 'tracestate'));
  const parameters: Writable<ServiceParameters> = { extensions: readExtensions(headers) };
  if (idempotencyKey !== undefined) parameters.idempotencyKey = idempotencyKey;
  if (resumeAfter !== undefined) parameters.resumeAfter = resumeAfter;
  if (trace !== undefined) parameters.trace = trace;
  return parameters;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function readExtensions(headers: RequestHeaders): ReadonlySet<string> {
  const current = headerValue(headers, 'a2a-extensions');
  const legacy = headerValue(headers, 'x-a2a-extensions');
  if (current === undefined && legacy === undefined) return NO_EXTENSIONS;
  return parseExtensions(current, legacy);
}

function readIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headerValue(headers, 'idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid('Idempotency-Key', 'expected 1 to 255 visible ASCII characters');
}

function readResumeAfter(headers: RequestHeaders): number | undefined {
  return (
    readSequence(headers, 'last-event-id', 'Last-Event-ID') ??
    readSequence(headers, 'holdword-resume-after', 'Holdword-Resume-After')
  );
}

function readSequence(headers: RequestHeaders, name: string, shownName: string): number | undefined {
  const value = headerValue(headers, name);
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw invalid(shownName, `expected the id of an event of this task, an integer, found "${value}"`);
}

function invalid(field: string, description: string): A2AError {
  return invalidFields([{ field, description }]);
}
