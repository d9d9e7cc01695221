import { A2AError, type AgentExtension, type ProtocolVersion } from '@holdword/protocol';
import {
  EXTENSIONS_PARAMETER,
  invalidFields,
  OWN_EXTENSIONS,
  parseExtensions,
  parseVersion,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import { readTraceContext, type TraceContext } from '../observe/tracing.ts';
import { headerValue, type RequestHeaders } from './auth/authentication.ts';

/** What a client may send in addition to the request, in HTTP header fields or gRPC metadata. */
export interface ServiceParameters {
  /** `A2A-Extensions`, or its 0.3 name `X-A2A-Extensions`. */
  readonly extensions: ReadonlySet<string>;
  /** `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** `Last-Event-ID`, or `Holdword-Resume-After` in bindings without event ids. */
  readonly resumeAfter: number | undefined;
  /** `traceparent` and `tracestate`. */
  readonly trace: TraceContext | undefined;
}

const NO_EXTENSIONS: ReadonlySet<string> = new Set();

export function readServiceParameters(headers: RequestHeaders): ServiceParameters {
  return {
    idempotencyKey: readIdempotencyKey(headers),
    resumeAfter: readResumeAfter(headers),
    trace: readTraceContext(headerValue(headers, 'traceparent'), headerValue(headers, 'tracestate')),
    extensions: readExtensions(headers),
  };
}

/**
 * The headers of a request, with the service parameters of its query: an `EventSource` of a browser can set no headers. Where
 * both name a parameter the header counts, because a browser that reconnects sends its last event ID there.
 */
export function withQueryParameters(headers: RequestHeaders, query: string): RequestHeaders {
  if (query === '') return headers;
  const given = new URLSearchParams(query);
  const named = QUERY_PARAMETERS.filter((name) => given.has(name) && !headers[name.toLowerCase()]);
  if (named.length === 0) return headers;
  return {
    ...headers,
    ...Object.fromEntries(named.map((name) => [name.toLowerCase(), given.get(name) ?? ''])),
  };
}

const QUERY_PARAMETERS = [EXTENSIONS_PARAMETER, 'Last-Event-ID'];

function readExtensions(headers: RequestHeaders): ReadonlySet<string> {
  const current = headerValue(headers, 'a2a-extensions');
  const legacy = headerValue(headers, 'x-a2a-extensions');
  if (current === undefined && legacy === undefined) return NO_EXTENSIONS;
  return parseExtensions(current, legacy);
}

/** The extensions of a served agent. */
export class ServedExtensions {
  readonly #supported: ReadonlySet<string>;
  readonly #required: readonly string[];

  /** `declared` are those on the card, or those of the agent. Ours are always among them. */
  constructor(declared: readonly AgentExtension[] = []) {
    this.#supported = new Set([...OWN_EXTENSIONS, ...declared.map(({ uri = '' }) => uri)]);
    this.#required = declared.filter(({ required }) => required === true).map(({ uri = '' }) => uri);
  }

  /** Those of a request that are active. Throws EXTENSION_SUPPORT_REQUIRED if it lacks one that the agent requires. */
  activate(requested: ReadonlySet<string>): readonly string[] {
    const missing = this.#required.filter((uri) => !requested.has(uri));
    if (missing.length > 0) {
      throw new A2AError(
        'EXTENSION_SUPPORT_REQUIRED',
        `This agent requires clients to support ${missing.join(' and ')}. Declare it in the header A2A-Extensions.`,
        { metadata: { requiredExtensions: missing.join(', ') } },
      );
    }
    return requested.size === 0 ? NONE : [...requested].filter((uri) => this.#supported.has(uri));
  }
}

const NONE: readonly string[] = [];

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

const HEADER = VERSION_PARAMETER.toLowerCase();

/**
 * The version that a request names in a header, or in the query, where browsers can set it. `unversioned` if it names
 * none.
 */
export function requestedVersion(
  headers: RequestHeaders,
  query: string,
  unversioned: ProtocolVersion = '0.3',
): ProtocolVersion {
  const header = headerValue(headers, HEADER);
  const asked = header || (query === '' ? null : new URLSearchParams(query).get(VERSION_PARAMETER));
  return asked ? parseVersion(asked) : unversioned;
}
