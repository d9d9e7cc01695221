import type { GuardedClient } from '@holdword/net/internal';
import type { OperationName, ProtocolVersion } from '@holdword/protocol';
import {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  VERSION_PARAMETER,
  type OperationRequest,
  type StreamingOperation,
} from '@holdword/protocol/internal';
import type { LargeParts } from '../large/large-parts.ts';
import type { PeerCallOptions } from './peer.ts';

/**
 * One binding in one version. Encodes requests, decodes responses to JSON of A2A 1.0, and converts error responses to
 * A2AErrors. Leaves validation to its users. An operation that the version does not have is rejected with an A2AError.
 */
export interface Wire {
  call<Name extends UnaryOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options: PeerCallOptions,
  ): Promise<unknown>;
  stream<Name extends StreamingOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options: PeerCallOptions,
  ): AsyncIterable<WireFrame>;
  close(): void;
}

export type UnaryOperation = Exclude<OperationName, StreamingOperation>;

/** One frame of a stream: JSON of A2A 1.0 that is not validated yet, and its event id. */
export interface WireFrame {
  json: unknown;
  id?: string | undefined;
}

export interface WireOptions {
  client: GuardedClient;
  url: string;
  version: ProtocolVersion;
  /** The extensions to declare. */
  extensions: readonly string[];
  /** Sent with every request, including credentials. */
  headers: HeaderSource;
  /** Whether per-request headers may be sent to this URL. */
  allowCallHeaders: boolean;
  /** Maximum size of a response in memory, or of one event of a stream. */
  maxResponseBytes: number;
  /** Where the contents of larger responses go. Without it, they are rejected. */
  largeParts?: LargeParts | undefined;
  timeoutMilliseconds: number;
}

/** Headers, or a function that returns them before each request, for credentials that expire. */
export type HeaderSource =
  Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** Whether the source can have headers. */
export function hasHeaders(source: HeaderSource): boolean {
  return typeof source === 'function' || Object.keys(source).length > 0;
}

export async function readHeaders(source: HeaderSource): Promise<Readonly<Record<string, string>>> {
  return typeof source === 'function' ? source() : source;
}

/**
 * The service parameters of a request, in HTTP headers or gRPC metadata: the version, the shared extensions, and the
 * resume cursor. 0.3 has no version parameter. An agent with the idempotency extension uses the message id as the
 * idempotency key if the client declares the extension.
 */
export function serviceHeaders(
  { version, extensions }: Pick<WireOptions, 'version' | 'extensions'>,
  { resumeAfter }: PeerCallOptions,
  resumeHeader: 'Last-Event-ID' | 'Holdword-Resume-After',
): Record<string, string> {
  const extensionsName = version === '0.3' ? LEGACY_EXTENSIONS_PARAMETER : EXTENSIONS_PARAMETER;
  return {
    ...(version !== '0.3' && { [VERSION_PARAMETER]: version }),
    ...(extensions.length > 0 && { [extensionsName]: extensions.join(',') }),
    ...(resumeAfter !== undefined && { [resumeHeader]: String(resumeAfter) }),
  };
}
